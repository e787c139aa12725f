import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { APART, type World } from '../world';

const AT_ONCE = 10;

const many = <T>(make: () => Promise<T>) => Promise.all(Array.from({ length: AT_ONCE }, make));

/** Contract B8 and the promise behind the product: a slot is never sold twice. */
export async function concurrency(world: World): Promise<void> {
  const { check, create, body } = world;
  const { apart } = await world.bookable();
  const [one, two] = [apart(APART.twins), apart(APART.rivals)];
  await check('B8', `the same request ${AT_ONCE} times at once makes one booking`, async () => {
    const key = randomUUID();
    const replies = await many(() => create(body(one), key));
    const references = replies.map(
      ({ json }) => (json?.data as { booking?: { reference?: string } })?.booking?.reference,
    );
    assert.deepEqual(
      replies.map(({ status }) => status),
      Array(AT_ONCE).fill(201),
    );
    assert.equal(new Set(references).size, 1);
    assert.equal(replies.filter(({ headers }) => headers['idempotent-replayed'] === 'true').length, AT_ONCE - 1);
  });
  await check(
    'B7',
    `${AT_ONCE} different requests for one seat at once: one gets it, the others a 409 slot_taken`,
    async () => {
      const [specialist_id] = two.specialist_ids;
      const replies = await many(() => create(body(two, { specialist_id })));
      const outcomes = replies.map(({ status, reason }) => (status === 201 ? 'booked' : `${status} ${reason}`)).sort();
      assert.deepEqual(outcomes, [...Array(AT_ONCE - 1).fill('409 slot_taken'), 'booked']);
    },
  );
}
