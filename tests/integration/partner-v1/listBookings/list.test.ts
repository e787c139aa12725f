import { beforeAll, expect, test } from 'vitest';
import { changeByOwner } from '@/lib/booking/bookings/owner-change';
import { pool } from '@/lib/platform/db';
import { expectFields, expectRefusal, narrowPolicy } from '@/tests/support/booking-rows';
import { type Desk, dayAhead, listed, makeDesk, partnerOf } from '@/tests/support/bookings';
import { makeApplication, makeLocation, makeTenant } from '@/tests/support/factories';
import { until } from '@/tests/support/until';
import { walkPages } from '../pages';

/** Lists by date and by change (contract B16). */

let desk: Desk;
const [first, last] = [dayAhead(7), dayAhead(10)];
const DAYS = { from: first, to: last };

beforeAll(async () => {
  desk = await makeDesk({ service: { capacity: 20 } });
});

type Query = Record<string, string | number>;

const list = async (query: Query, from: Desk = desk) => {
  const reply = await from.find({ limit: 100, ...query });
  expect(reply.status, reply.text).toBe(200);
  return reply.data;
};
const referencesOf = (bookings: { reference: string }[]) => bookings.map(({ reference }) => reference);
const cancelByOwner = (reference: string) =>
  changeByOwner(new Date(), {
    tenantId: desk.tenant.id,
    actor: { kind: 'system' },
    reference,
    action: 'cancel',
    expectedVersion: 1,
    cancelReason: null,
  });

test('lists by date, status, location, and reference, as a read of each returns them, without optional fields', async () => {
  const own = await makeDesk({ service: { capacity: 20 } });
  const booked = [];
  for (let day = 6; day <= 10; day += 1) booked.push(await own.book('10:00', { date: dayAhead(day) }));
  const other = await own.book('11:00', { date: first, external_reference: 'other' });
  await own.cancel(other.reference);
  const inside = [...booked.slice(1), other].map(({ reference }) => reference).sort();
  const whole = await list(DAYS, own);
  const reads = await Promise.all(inside.map(async (reference) => listed((await own.read(reference)).data.booking)));
  expect(whole).toEqual({ bookings: reads, next_cursor: null, sequence: 7, next_updated_since: expect.any(String) });
  for (const [query, expected] of [
    [{ from: first, to: first }, [booked[1]?.reference, other.reference].sort()],
    [{ ...DAYS, status: 'cancelled' }, [other.reference]],
    [{ external_reference: 'other', status: 'cancelled' }, [other.reference]],
    [{ external_reference: 'other', status: 'no_show' }, []],
    [{ ...DAYS, external_reference: 'OTHER' }, []],
    [
      { ...DAYS, external_reference: 'other', updated_since: new Date(Date.now() - 60_000).toISOString() },
      [other.reference],
    ],
    [{ ...DAYS, location_id: own.location.id }, inside],
    [{ from: dayAhead(1), to: dayAhead(5) }, []],
  ] as const)
    expect(referencesOf((await list(query, own)).bookings), JSON.stringify(query)).toEqual(expected);
});

test('no booking is skipped or repeated while others are made, moved, and canceled', async () => {
  const own = await makeDesk({ service: { capacity: 20 } });
  const stable: string[] = [];
  for (let i = 0; i < 7; i += 1) stable.push((await own.book('10:00', { date: dayAhead(7 + (i % 3)) })).reference);
  const sequences = new Set<string>();
  let moves = 0;
  const readPage = async (parameters: Query) => {
    // Between two pages, every booking moves to another day of the range.
    for (const reference of moves === 0 ? [] : stable) {
      const { version } = (await own.read(reference)).data.booking;
      const to = { expected_version: version, date: dayAhead(7 + ((version + moves) % 4)), start_time: '14:00' };
      await own.reschedule(reference, to);
    }
    moves += 1;
    await own.cancel((await own.book('09:00', { date: first })).reference);
    const { data } = await own.find({ ...DAYS, status: 'confirmed', ...parameters });
    sequences.add(`${data.sequence} ${data.next_updated_since}`);
    return { items: data.bookings, next: data.next_cursor };
  };
  const { items } = await walkPages(readPage, [2, 1, 3]);
  expect(referencesOf(items)).toEqual([...stable].sort());
  expect(sequences.size).toBe(1);
});

test('a change that commits late is in the next list, and a list without changes repeats only the latest', async () => {
  const own = await makeDesk({ service: { capacity: 20 } });
  const booked = await own.book();
  const start = (await list({ ...DAYS }, own)).next_updated_since as string;
  const client = await pool().connect();
  await client.query('BEGIN');
  await client.query(
    `UPDATE bookings SET version = 2, local_version = 2, status = 'completed', updated_at = updated_at WHERE reference = $1`,
    [booked.reference],
  );
  // As of a request that began long ago.
  await client.query(
    `INSERT INTO events (id, tenant_id, application_id, type, booking_reference, version, actor, payload, at)
     SELECT 'evt_' || substr(id, 5, 25) || CASE right(id, 1) WHEN '0' THEN '1' ELSE '0' END, tenant_id, application_id,
       'booking.completed', booking_reference, 2, 'owner', payload, at - interval '1 minute'
     FROM events WHERE booking_reference = $1`,
    [booked.reference],
  );
  const later = await own.book('11:00');
  const meanwhile = await list({ updated_since: start }, own);
  expect(referencesOf(meanwhile.bookings)).toEqual([booked.reference, later.reference].sort());
  expect(meanwhile.bookings.find(({ reference }) => reference === booked.reference)?.version).toBe(1);
  await client.query('COMMIT');
  client.release();
  const after = await list({ updated_since: meanwhile.next_updated_since as string }, own);
  expect(after.bookings.find(({ reference }) => reference === booked.reference)).toMatchObject({ version: 2 });
  expect(after.sequence).toBe((meanwhile.sequence ?? 0) + 1);
  const quiet = await list({ updated_since: after.next_updated_since as string }, own);
  expect(referencesOf(quiet.bookings)).toEqual([booked.reference]);
});

test('changes by the owner count, and anonymized customers are null', async () => {
  const { reference } = await desk.book('12:00');
  const since = (await list(DAYS)).next_updated_since as string;
  await cancelByOwner(reference);
  await pool().query(
    'UPDATE bookings SET customer_name = NULL, customer_phone = NULL, phone_hash = NULL, name_hashes = NULL WHERE reference = $1',
    [reference],
  );
  const changed = (await list({ updated_since: since })).bookings.find((one) => one.reference === reference);
  expect(changed).toMatchObject({
    status: 'cancelled',
    cancelled_by: 'owner',
    customer: { name: null, phone_masked: null },
  });
});

test('omits bookings at locations outside the policy, and of other applications, tenants, and the business', async () => {
  const own = await makeDesk();
  const elsewhere = await makeLocation(own.tenant.id);
  const { reference } = await own.book();
  const peer = partnerOf((await makeApplication(own.tenant.id)).key);
  expect((await peer.find(DAYS)).data).toEqual({
    bookings: [],
    next_cursor: null,
    sequence: 0,
    next_updated_since: null,
  });
  expect((await list({ ...DAYS, location_id: elsewhere.id }, own)).bookings).toEqual([]);
  await narrowPolicy(own, { locationIds: [elsewhere.id] });
  const hidden = await until(
    () => own.find(DAYS),
    (reply) => reply.data.bookings.length === 0,
  );
  expect(hidden.status).toBe(200);
  expectRefusal(await own.find({ ...DAYS, location_id: own.location.id }), 403, 'credential_restricted', 'location');
  const foreign = await makeLocation((await makeTenant()).id);
  for (const location_id of ['nonsense', foreign.id])
    expectRefusal(await own.find({ ...DAYS, location_id }), 404, 'not_found');
  await narrowPolicy(own, { locationIds: [own.location.id] });
  const shown = await until(
    () => own.find(DAYS),
    (reply) => reply.data.bookings.length === 1,
  );
  expect(referencesOf(shown.data.bookings)).toEqual([reference]);
});

test('rejects what does not limit the list, and cursors of other lists', async () => {
  const now = Date.now();
  for (const [query, field] of [
    [{}, 'external_reference'],
    [{ status: 'confirmed' }, 'external_reference'],
    [{ from: first }, 'to'],
    [{ to: first }, 'from'],
    [{ from: last, to: first }, 'to'],
    [{ from: dayAhead(0), to: dayAhead(31) }, 'to'],
    [{ from: '2026-02-30', to: '2026-03-01' }, 'from'],
    [{ from: '0000-12-31', to: '0001-01-01' }, 'from'],
    [{ ...DAYS, status: 'canceled' }, 'status'],
    [{ updated_since: 'yesterday' }, 'updated_since'],
    [{ updated_since: '2026-09-14T09:30:00' }, 'updated_since'],
    [{ updated_since: new Date(now - 31 * 86_400_000 - 60_000).toISOString() }, 'updated_since'],
  ] as const)
    expectFields(await desk.find(query), [field]);
  expect((await desk.find({ from: dayAhead(0), to: dayAhead(30) })).status).toBe(200);
  expect((await desk.find({ updated_since: new Date(now - 31 * 86_400_000 + 60_000).toISOString() })).status).toBe(200);
  await desk.book('15:00', { external_reference: 'cart' });
  await desk.book('15:00', { external_reference: 'cart' });
  const cursor = (await desk.find({ ...DAYS, limit: 1 })).data.next_cursor ?? '';
  const legacy = (await desk.find({ external_reference: 'cart', limit: 1 })).data.next_cursor ?? '';
  const peer = partnerOf((await makeApplication(desk.tenant.id)).key);
  for (const reply of [
    await peer.find({ ...DAYS, cursor }),
    await desk.find({ from: first, to: first, cursor }),
    await desk.find({ ...DAYS, status: 'confirmed', cursor }),
    await desk.find({ ...DAYS, cursor: legacy }),
    await desk.find({ external_reference: 'cart', cursor }),
  ])
    expectFields(reply, ['cursor'], 'cursor_mismatch');
});
