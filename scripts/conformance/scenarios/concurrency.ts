import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { SLOT, type World } from '../world';

const COUNT = 10;

const concurrently = <T>(send: () => Promise<T>) => Promise.all(Array.from({ length: COUNT }, send));

/** Checks contract B7 and B8: concurrent requests never book a seat twice. */
export async function concurrency(world: World): Promise<void> {
  const { check, create, body } = world;
  const { independent } = await world.bookable();
  const [first, second] = [independent(SLOT.duplicates), independent(SLOT.competing)];
  await check('B8', `${COUNT} concurrent duplicates of a request create one booking`, async () => {
    const key = randomUUID();
    const replies = await concurrently(() => create(body(first), key));
    const references = replies.map(
      ({ json }) => (json?.data as { booking?: { reference?: string } })?.booking?.reference,
    );
    assert.deepEqual(
      replies.map(({ status }) => status),
      Array(COUNT).fill(201),
    );
    assert.equal(new Set(references).size, 1);
    assert.equal(replies.filter(({ headers }) => headers['idempotent-replayed'] === 'true').length, COUNT - 1);
  });
  await check(
    'B7',
    `of ${COUNT} concurrent requests for one seat, one succeeds and the others get a 409 slot_taken`,
    async () => {
      const [specialist_id] = second.specialist_ids;
      const replies = await concurrently(() => create(body(second, { specialist_id })));
      const outcomes = replies.map(({ status, reason }) => (status === 201 ? 'booked' : `${status} ${reason}`)).sort();
      assert.deepEqual(outcomes, [...Array(COUNT - 1).fill('409 slot_taken'), 'booked']);
    },
  );
}
