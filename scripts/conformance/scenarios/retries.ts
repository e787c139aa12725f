import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { bookingData } from '@/lib/contract/bookings';
import { clockData } from '@/lib/contract/sandbox';
import type { Attempt } from '../receiver';
import { Skip } from '../report';
import { dataOf, SLOT, type World } from '../world';

/** The attempt that succeeds. Until then, each attempt is answered with a 500. */
const LAST = 7;

/** Seconds. Longer than the delay before each of these attempts, with its jitter (contract B11). */
const ADVANCE = 13 * 3_600;

/** Milliseconds to wait for an attempt, and how often the clock is advanced for it. */
const [WAIT, TRIES] = [5_000, 3];

/** Milliseconds. Receivers accept a signature that is this old. */
const TOLERANCE = 300_000;

/**
 * Checks contract B11 and B20: the retries of a webhook up to attempt 7, with the clock of the application. It needs a
 * receiver, to which the endpoint of the application sends.
 */
export async function retries(world: World): Promise<void> {
  const { post, receiver } = world;
  if (receiver === null) throw new Skip('it needs --listen PORT, and an endpoint of the application with this port');
  try {
    await checkRetries(world, receiver);
  } finally {
    receiver.refuse(() => false);
    await post('/test/clock', { real_time: true }).catch(() => null);
  }
}

async function checkRetries({ check, need, create, post, body, bookable }: World, receiver: Receiver): Promise<void> {
  const { independent } = await bookable();
  const external_reference = `conformance-${randomUUID()}`;
  const isOurs = (text: string) => text.includes(external_reference) && text.includes('"booking.created"');
  const ours = () => receiver.attempts.filter(({ text }) => isOurs(text));
  receiver.refuse((text) => isOurs(text) && ours().length < LAST);
  await need('B11', 'a booking can be made whose event is refused', async () =>
    dataOf(await create(body(independent(SLOT.retried), { external_reference })), 201, bookingData),
  );
  const advance = async () => dataOf(await post('/test/clock', { advance_seconds: ADVANCE }), 200, clockData);
  const arrived = await check('B11', `a refused event gets attempt ${LAST} as the clock advances`, async () => {
    await arrival(ours, 1);
    for (let made = 1; made < LAST; made += 1) await nextAttempt(ours, made, advance);
  });
  if (!arrived) return;
  const attempts = ours();
  await check('B11', 'every attempt has the same webhook-id and body, and the next number', () => {
    assert.deepEqual(
      attempts.map(({ headers }) => headers['webhook-attempt']),
      Array.from({ length: LAST }, (_, index) => String(index + 1)),
    );
    assert.equal(new Set(attempts.map(({ headers }) => headers['webhook-id'])).size, 1);
    assert.equal(new Set(attempts.map(({ text }) => text)).size, 1);
  });
  await check('B20', 'webhook-timestamp is real time, and every attempt is signed', () => {
    for (const { headers } of attempts) {
      assert.match(headers['webhook-signature'] ?? '', /^v1,[A-Za-z0-9+/]{43}=( v1,[A-Za-z0-9+/]{43}=)*$/);
      assert.ok(Math.abs(Number(headers['webhook-timestamp']) * 1_000 - Date.now()) < TOLERANCE);
    }
  });
  await check('B11', 'after a success, there is no further attempt', async () => {
    await advance();
    await delay(WAIT / 2);
    assert.equal(ours().length, LAST);
  });
}

type Receiver = NonNullable<World['receiver']>;

/** The outcome of an attempt is recorded after its response, so the clock can advance too early for the next one. */
async function nextAttempt(ours: () => Attempt[], made: number, advance: () => Promise<unknown>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    await advance();
    const problem = await arrival(ours, made + 1).then(
      () => null,
      (error: unknown) => error,
    );
    if (problem === null) return;
    if (tries === TRIES) throw problem;
  }
}

async function arrival(ours: () => Attempt[], count: number): Promise<void> {
  const until = Date.now() + WAIT;
  while (ours().length < count) {
    assert.ok(Date.now() < until, `attempt ${count} did not arrive`);
    await delay(50);
  }
}
