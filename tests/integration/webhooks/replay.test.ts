import { expect, test } from 'vitest';
import { db, pool } from '@/lib/platform/db';
import { deliver } from '@/lib/webhooks/deliver';
import { type Lease, leaseDue } from '@/lib/webhooks/lease';
import { countReplay, replayDelivery, replayFailed, replayProgress, stopReplay } from '@/lib/webhooks/replay';
import { status } from '@/tests/support/receiver';
import { until } from '@/tests/support/until';
import { deliverDue, dependenciesOf } from '@/tests/support/webhooks';
import { PAUSES } from './pauses';
import { stageOfEachTest } from './stage';

const DAY = 86_400_000;
const stage = stageOfEachTest();

const fail = async (count: number) => {
  const ids = await stage.webhook.emit(count, stage.clock.now());
  await stage.database.query(
    `UPDATE deliveries SET state = 'failed', next_attempt_at = NULL, finished_at = $2, attempts = 10,
       scheduled_attempts = 10 WHERE id = ANY ($1)`,
    [ids, stage.clock.now()],
  );
  return ids;
};

test('replays one delivery with the same ids, the next number, the user, and no new schedule', async () => {
  const [id = ''] = await fail(1);
  stage.receiver.answer(status(500));
  await replayDelivery(stage.clock.now(), stage.webhook.by, id);
  expect(await deliverDue(dependenciesOf(stage.clock))).toBe(1);
  expect(await stage.webhook.deliveries()).toMatchObject([
    { state: 'failed', attempts: 11, scheduledAttempts: 10, dueAt: null },
  ]);
  stage.receiver.answer(status(200));
  await replayDelivery(stage.clock.now(), stage.webhook.by, id);
  await deliverDue(dependenciesOf(stage.clock));
  expect(await stage.webhook.deliveries()).toMatchObject([{ state: 'succeeded', attempts: 12 }]);
  const numbers = stage.receiver.received.map(({ headers }) => [headers['webhook-id'], headers['webhook-attempt']]);
  expect(numbers).toEqual([`evt_${id.slice(4)}`, `evt_${id.slice(4)}`].map((event, i) => [event, String(11 + i)]));
  expect(await stage.webhook.attempts(id)).toMatchObject([
    { number: 11, kind: 'manual', requestedById: stage.webhook.by.userId, status: 500 },
    { number: 12, kind: 'manual', requestedById: stage.webhook.by.userId, status: 200 },
  ]);
});

test.for([200, 500])('replays a succeeded delivery once, even when the response is %d', async (answer) => {
  const [id = ''] = await stage.webhook.emit(1, stage.clock.now());
  await deliverDue(dependenciesOf(stage.clock));
  const [before] = await stage.webhook.deliveries();
  stage.receiver.answer(status(answer));
  stage.clock.advance(60_000);
  await replayDelivery(stage.clock.now(), stage.webhook.by, id);
  expect(await deliverDue(dependenciesOf(stage.clock))).toBe(1);
  const [after] = await stage.webhook.deliveries();
  expect(after).toMatchObject({
    state: 'succeeded',
    attempts: 2,
    scheduledAttempts: 1,
    dueAt: null,
    leasedUntil: null,
  });
  expect(after?.finishedAt).toEqual(before?.finishedAt);
  stage.clock.advance(DAY);
  expect(await deliverDue(dependenciesOf(stage.clock))).toBe(0);
});

test('refuses to replay a delivery with a running attempt', async () => {
  const [id = ''] = await stage.webhook.emit(1, stage.clock.now());
  const [lease] = await leaseDue(stage.clock.now(), 1);
  const replay = () => replayDelivery(stage.clock.now(), stage.webhook.by, id);
  await expect(replay()).rejects.toMatchObject({ code: 'attempt_under_way' });
  await deliver(dependenciesOf(stage.clock), lease as Lease);
  await replay();
  expect(await deliverDue(dependenciesOf(stage.clock))).toBe(1);
});

test('allows one running replay at a time, and none without deliveries', async () => {
  await fail(6);
  const since = new Date(stage.clock.now().getTime() - 1000);
  const start = () => replayFailed(stage.clock.now(), stage.webhook.by, since);
  const outcomes = await Promise.allSettled([start(), start()]);
  expect(outcomes.map(({ status: how }) => how).sort()).toEqual(['fulfilled', 'rejected']);
  await expect(start()).rejects.toMatchObject({ code: 'replay_running' });
  while ((await deliverDue(dependenciesOf(stage.clock))) > 0);
  await expect(start()).rejects.toMatchObject({ code: 'invalid_request', fields: [{ path: 'since' }] });
  expect(await replayProgress(stage.webhook.target)).toMatchObject({ total: 6, succeeded: 6 });
});

test('sends nothing when a stop commits while the attempt is being leased', async () => {
  const [id = ''] = await fail(1);
  const since = new Date(stage.clock.now().getTime() - 1000);
  await replayFailed(stage.clock.now(), stage.webhook.by, since);
  // While `leaseDue` waits for the lock on the chosen delivery, another transaction stops the replay and commits.
  const leases = await whileLocked(id, 'UPDATE deliveries SET manual_requested_at = NULL WHERE id = $1', () =>
    leaseDue(stage.clock.now(), 1),
  );
  expect(leases).toEqual([]);
  expect(await stage.webhook.deliveries()).toMatchObject([{ state: 'failed', attempts: 10, leasedUntil: null }]);
});

/**
 * Changes a delivery in an open transaction with the statement `change`, so that the transaction locks the delivery.
 * Then starts `work`, and commits the transaction as soon as `work` waits for this lock.
 */
async function whileLocked<T>(id: string, change: string, work: () => Promise<T>): Promise<T> {
  const client = await pool().connect();
  await client.query('BEGIN');
  await client.query(change, [id]);
  const working = work();
  await until(
    async () => (await stage.database.query('SELECT FROM pg_locks WHERE NOT granted')).rows.length,
    (waiting) => waiting > 0,
  );
  await client.query('COMMIT');
  client.release();
  return working;
}

test('a replayed pending delivery keeps its schedule', async () => {
  stage.receiver.answer(status(500));
  const [id = ''] = await stage.webhook.emit(1, stage.clock.now());
  await deliverDue(dependenciesOf(stage.clock));
  const [before] = await stage.webhook.deliveries();
  await replayDelivery(stage.clock.now(), stage.webhook.by, id);
  await deliverDue(dependenciesOf(stage.clock));
  const [after] = await stage.webhook.deliveries();
  expect(after).toMatchObject({ attempts: 2, scheduledAttempts: 1, nextAttemptAt: before?.nextAttemptAt });
});

test('replays all failed deliveries since a time, once each, with a count and progress', async () => {
  await fail(2);
  stage.clock.advance(DAY);
  const since = stage.clock.now();
  const ids = await fail(150);
  expect(await countReplay(stage.clock.now(), stage.webhook.target, since)).toEqual({ count: 150, more: false });
  const { total } = await replayFailed(stage.clock.now(), stage.webhook.by, since);
  expect(total).toBe(150);
  expect(await replayProgress(stage.webhook.target)).toMatchObject({ total: 150, waiting: 150, succeeded: 0 });
  expect(await countReplay(stage.clock.now(), stage.webhook.target, since)).toEqual({ count: 0, more: false });
  while ((await deliverDue(dependenciesOf(stage.clock))) > 0);
  expect(await replayProgress(stage.webhook.target)).toMatchObject({ total: 150, waiting: 0, succeeded: 150 });
  expect(stage.receiver.received.map(({ headers }) => headers['webhook-id']).sort()).toEqual(
    ids.map((id) => `evt_${id.slice(4)}`),
  );
});

test('a stopped replay sends nothing more', async () => {
  await fail(20);
  const { id } = await replayFailed(stage.clock.now(), stage.webhook.by, new Date(stage.clock.now().getTime() - 1000));
  await deliverDue(dependenciesOf(stage.clock));
  const sent = stage.receiver.received.length;
  expect(sent).toBe(4);
  await stopReplay(stage.clock.now(), stage.webhook.target, id);
  expect(await deliverDue(dependenciesOf(stage.clock))).toBe(0);
  expect(await replayProgress(stage.webhook.target)).toMatchObject({
    waiting: 0,
    succeeded: sent,
    stopped_at: stage.clock.now(),
  });
  await expect(stopReplay(stage.clock.now(), stage.webhook.target, id)).rejects.toMatchObject({ code: 'not_found' });
});

test('replays at most ten thousand deliveries, the oldest', async () => {
  const ids = await fail(10_003);
  const since = new Date(stage.clock.now().getTime() - 1000);
  expect(await countReplay(stage.clock.now(), stage.webhook.target, since)).toEqual({ count: 10_000, more: true });
  expect(await replayFailed(stage.clock.now(), stage.webhook.by, since)).toMatchObject({ total: 10_000 });
  const left = await db().delivery.findMany({ where: { manualRequestedAt: null }, select: { id: true } });
  expect(left.map(({ id }) => id).sort()).toEqual(ids.slice(-3));
});

test('refuses a time more than 14 days ago or in the future', async () => {
  for (const offset of [-15 * DAY, DAY]) {
    const since = new Date(stage.clock.now().getTime() + offset);
    await expect(replayFailed(stage.clock.now(), stage.webhook.by, since)).rejects.toMatchObject({
      fields: [{ path: 'since' }],
    });
  }
});

test.each(PAUSES.filter(({ reason }) => reason !== 'scope'))(
  'refuses a replay while paused ($reason)',
  async ({ pause }) => {
    const [id = ''] = await fail(1);
    await pause(stage);
    const refused = { code: 'endpoint_not_active' };
    await expect(replayDelivery(stage.clock.now(), stage.webhook.by, id)).rejects.toMatchObject(refused);
    await expect(replayFailed(stage.clock.now(), stage.webhook.by, stage.clock.now())).rejects.toMatchObject(refused);
  },
);
