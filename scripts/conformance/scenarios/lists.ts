import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { bookingData } from '@/lib/contract/bookings';
import { bookingsData } from '@/lib/contract/bookings-list';
import { digestData } from '@/lib/contract/digest';
import { eventsData } from '@/lib/contract/events-list';
import { meData } from '@/lib/contract/me';
import { dataOf, dayAhead, expectRefusal, listed, SLOT, type World } from '../world';

const UNKNOWN = 'loc_01jd8x4t5wf3rbq0zk6m7n8p9q';

/** Checks contract B16: what a partner reads to learn the truth. */
export async function lists(world: World): Promise<void> {
  const { wire, check, need, create, body, read } = world;
  await check('B16', 'GET /me states the environment, the scopes, and the key', async () => {
    const me = dataOf(await wire.send('/me'), 200, meData);
    const { key } = wire.options;
    assert.deepEqual([me.environment, me.key.last_four], [/^pbk_test_/.test(key) ? 'TEST' : 'LIVE', key.slice(-4)]);
    assert.ok(me.scopes.includes('booking.manage'));
  });
  const { independent } = await world.bookable();
  const slot = independent(SLOT.listed);
  const wanted = body(slot, { external_reference: 'conformance-list' });
  const book = async () => dataOf(await create(wanted), 201, bookingData).booking;
  const booking = await need('B7', 'an available slot can be booked', book);
  const list = async (query: Record<string, string>) =>
    dataOf(await wire.send(`/bookings?${new URLSearchParams({ limit: '100', ...query })}`), 200, bookingsData);
  const day = { from: booking.date, to: booking.date };
  await check(
    'B16',
    'a list by date contains the booking once, as a read returns it, without optional fields',
    async () => {
      const found = [];
      for (let cursor: string | null = '', page = 0; cursor !== null && page < 8; page += 1) {
        const data: typeof bookingsData._output = await list({ ...day, ...(cursor && { cursor }) });
        found.push(...data.bookings);
        cursor = data.next_cursor;
      }
      const references = found.map(({ reference }) => reference);
      assert.deepEqual(references, [...new Set(references)].sort());
      assert.deepEqual(
        found.find(({ reference }) => reference === booking.reference),
        listed(await read(booking.reference)),
      );
    },
  );
  await check('B16', 'a list of changes contains the booking, and states where the next one begins', async () => {
    const data = await list({ updated_since: booking.updated_at });
    assert.ok(data.bookings.some(({ reference }) => reference === booking.reference));
    assert.ok(data.sequence !== undefined && data.sequence > 0 && data.next_updated_since);
  });
  await check('B16', 'the events have no gap, and one after the latest sequence is refused', async () => {
    const { sequence = 0 } = await list(day);
    const { events } = dataOf(await wire.send(`/events?after=${Math.max(0, sequence - 2)}`), 200, eventsData);
    const [first = 0, ...further] = events.map((event) => event.sequence ?? 0);
    assert.ok(first > 0 && further.every((one, index) => one === first + index + 1));
    const future = await wire.send(`/events?after=${Number.MAX_SAFE_INTEGER}`);
    expectRefusal(future, 400, 'invalid_request', 'sequence_unknown');
  });
  await check('B16', 'the digest of the day is that of the listed bookings', async () => {
    for (let tries = 0; tries < 3; tries += 1) {
      const { bookings, sequence, next_cursor } = await list(day);
      const digest = dataOf(await wire.send(`/bookings/digest?${new URLSearchParams(day)}`), 200, digestData);
      // Another client of this key writes, or the day has several pages.
      if (digest.sequence !== sequence || next_cursor !== null) continue;
      const lines = bookings.map(({ reference, version }) => `${reference}:${version}\n`).sort();
      const hash = createHash('sha256').update(lines.join('')).digest('hex');
      assert.deepEqual(digest.days, [{ date: booking.date, count: lines.length, hash }]);
      return;
    }
  });
  await check('B12', 'external_reference alone finds the booking, newest first, and nothing more', async () => {
    const data = await list({ external_reference: 'conformance-list' });
    assert.deepEqual(Object.keys(data).sort(), ['bookings', 'next_cursor']);
    assert.equal(data.bookings[0]?.reference, booking.reference);
  });
  await check('B16', 'lists without a limit of time or reference, and of 32 days, get a 400', async () => {
    for (const query of ['', '?status=confirmed', `?from=${dayAhead(0)}`, `?from=${dayAhead(0)}&to=${dayAhead(31)}`])
      expectRefusal(await wire.send(`/bookings${query}`), 400, 'invalid_request', null);
  });
  await check('B16', 'an unknown location gets a 404, and a cursor of another list a 400', async () => {
    const search = new URLSearchParams({ ...day, location_id: UNKNOWN });
    expectRefusal(await wire.send(`/bookings?${search}`), 404, 'not_found');
    const other = new URLSearchParams({ ...day, cursor: 'c4Fh2kQv8mXw0pTz1bYs3gAXN2Y18wMWpkOHg0dDV3' });
    expectRefusal(await wire.send(`/bookings?${other}`), 400, 'invalid_request', 'cursor_mismatch');
  });
}
