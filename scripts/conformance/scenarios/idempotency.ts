import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { bookingData } from '@/lib/contract/bookings';
import { dataOf, expectRefusal, SLOT, type World } from '../world';

/** Checks contract A (Idempotency) and B8. */
export async function idempotency(world: World): Promise<void> {
  const { check, need, create, post, body, wire } = world;
  const { independent } = await world.bookable();
  const [slot, other] = [independent(SLOT.repeated), independent(SLOT.other)];
  const key = randomUUID();
  const first = await need('B7', 'an available slot can be booked', async () => {
    const reply = await create(body(slot), key);
    dataOf(reply, 201, bookingData);
    return reply;
  });
  await check(
    'B8',
    'an identical request gets a replay: the same data, a new request id, and both replay headers',
    async () => {
      const again = await create(body(slot), key);
      assert.equal(again.status, 201);
      assert.deepEqual(again.json?.data, first.json?.data);
      assert.equal(again.headers['idempotent-replayed'], 'true');
      assert.equal(again.headers['x-original-request-id'], first.headers['x-request-id']);
      assert.notEqual(again.headers['x-request-id'], first.headers['x-request-id']);
      assert.equal(first.headers['idempotent-replayed'], undefined);
    },
  );
  await check('B8', 'the order of the fields in the body does not matter', async () => {
    const reordered = Object.fromEntries(Object.entries(body(slot)).reverse());
    assert.equal((await create(reordered, key)).headers['idempotent-replayed'], 'true');
  });
  await check('B8', 'a pair of quotes around the idempotency key is ignored', async () => {
    assert.equal((await create(body(slot), `"${key}"`)).headers['idempotent-replayed'], 'true');
  });
  await check('A', 'changed input with the same idempotency key gets a 409', async () => {
    expectRefusal(await create(body(other), key), 409, 'idempotency_key_reused', null);
  });
  await check('A', 'a write without an idempotency key gets a 400 with idempotency_key_required', async () => {
    const headers = { 'content-type': 'application/json' };
    const reply = await wire.send('/bookings', { method: 'POST', headers, body: JSON.stringify(body(other)) });
    expectRefusal(reply, 400, 'invalid_request', 'idempotency_key_required');
  });
  for (const bad of ['short', 'x'.repeat(129), 'with a space in the middle']) {
    await check(
      'A',
      `an idempotency key of ${bad.length} characters${bad.includes(' ') ? ' with spaces' : ''} gets a 400`,
      async () => {
        expectRefusal(await post('/bookings', body(other), bad), 400, 'invalid_request');
      },
    );
  }
  await check('B8', 'a repeated header gets a 400', async () => {
    const twice = [randomUUID(), randomUUID()];
    expectRefusal(await post('/bookings', body(other), key, { 'idempotency-key': twice }), 400, 'invalid_request');
  });
  await check('B8', 'a 400 does not use up the idempotency key: the corrected request succeeds', async () => {
    const fresh = randomUUID();
    expectRefusal(await create(body(other, { date: 'never' }), fresh), 400, 'invalid_request');
    assert.equal((await create(body(other), fresh)).status, 201);
  });
}
