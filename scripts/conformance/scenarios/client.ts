import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { ConflictError, NotFoundError, pages, partnerClient } from '@/lib/contract/client';
import type { Wire } from '../wire';
import { SLOT, type World } from '../world';

/** Requests go through `wire`, which keeps them within the quota and checks the responses. */
function clientOver(wire: Wire) {
  const { api, key } = wire.options;
  return partnerClient({
    baseUrl: api,
    apiKey: key,
    fetch: async (url, { method, headers: given, body }) => {
      // `Wire` adds the key.
      const { Authorization, ...headers } = given as Record<string, string>;
      const reply = await wire.send(url.slice(api.length), { method, headers, body: body as string | undefined });
      const entries = Object.entries(reply.headers).flatMap(([name, value]) => (value ? [[name, value]] : []));
      return new Response(reply.text, { status: reply.status, headers: Object.fromEntries(entries) });
    },
  });
}

/** Checks contract A, B7, and B8 with the published client. */
export async function publishedClient(world: World): Promise<void> {
  const { check, need, body, wire } = world;
  const client = clientOver(wire);
  const { independent } = await world.bookable();
  const [slot, target] = [independent(SLOT.client), independent(SLOT.clientTarget)];
  await check('A', 'the client lists every service once across the catalog pages', async () => {
    const ids: string[] = [];
    for await (const { services } of pages(client.listCatalog, { limit: 50 }))
      ids.push(...services.map(({ id }) => id));
    assert.ok(ids.includes(slot.service_id));
    assert.equal(new Set(ids).size, ids.length);
  });
  const key = randomUUID();
  const wanted = body(slot);
  const { booking } = await need('B7', 'the client books an available slot', () => client.createBooking(wanted, key));
  await check('B8', 'the client gets the same booking for the same idempotency key', async () => {
    assert.deepEqual((await client.createBooking(wanted, key)).booking, booking);
  });
  await check('B7', 'the client reschedules, reads, and cancels the booking', async () => {
    const { date, start_time } = target;
    const to = { expected_version: booking.version, date, start_time };
    const moved = await client.rescheduleBooking(booking.reference, to, randomUUID());
    assert.deepEqual(await client.readBooking(booking.reference), moved);
    const gone = await client.cancelBooking(
      booking.reference,
      { expected_version: moved.booking.version },
      randomUUID(),
    );
    assert.equal(gone.booking.status, 'cancelled');
  });
  await check('B3', 'the client throws a ConflictError and a NotFoundError', async () => {
    const stale = client.cancelBooking(booking.reference, { expected_version: 1 }, randomUUID());
    await assert.rejects(stale, ConflictError);
    await assert.rejects(client.readBooking('nonsense'), NotFoundError);
  });
}
