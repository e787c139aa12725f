import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { db } from '@/lib/platform/db';
import { pauseEndpoint, resumeEndpoint } from '@/lib/webhooks/endpoint';
import { type FakeInngest, inngestEnv, type SentEvent, startFakeInngest, startRun } from '@/tests/support/inngest';
import { type OwnDatabase, ownDatabase } from '@/tests/support/own-database';
import { hang, type Receiver, startReceiver, status } from '@/tests/support/receiver';
import { startServer, type TestServer } from '@/tests/support/server';
import { until } from '@/tests/support/until';
import { makeWebhook } from '@/tests/support/webhooks';

const DELIVER = 'partner-booking-test-deliver-webhook';
const SWEEP = 'partner-booking-test-sweep-deliveries';

let database: OwnDatabase;
let inngest: FakeInngest;
let server: TestServer;
let receiver: Receiver;

beforeAll(async () => {
  database = await ownDatabase();
  inngest = await startFakeInngest();
  server = await startServer({ databaseUrl: database.url, env: inngestEnv(inngest) });
});

afterAll(async () => {
  await server.stop();
  await inngest.close();
  await database.drop();
});

beforeEach(async () => {
  receiver = await startReceiver();
  return () => receiver.close();
});

/** Waits until Inngest has an event for the delivery, and returns it. The event `other` is ignored. */
async function eventOf(deliveryId: string, other?: SentEvent): Promise<SentEvent> {
  const read = async () => inngest.events.find((one) => one.data.delivery_id === deliveryId && one.id !== other?.id);
  const event = await until(read, (found) => found !== undefined);
  if (!event) throw new Error('no event');
  return event;
}

async function emitted() {
  const webhook = await makeWebhook(receiver.url);
  const [id = ''] = await webhook.emit();
  const event = await eventOf(id);
  return { webhook, id, event, run: startRun(server.origin, DELIVER, event) };
}

/** Makes the next attempt of a delivery due now. */
async function makeDue(id: string): Promise<void> {
  await database.query(`UPDATE deliveries SET next_attempt_at = now() - interval '1 second' WHERE id = $1`, [id]);
}

const deliveryOf = (id: string) => db().delivery.findUniqueOrThrow({ where: { id } });

test('a delivery that succeeds takes one step', async () => {
  const { id, run } = await emitted();
  expect(await run.next()).toMatchObject({ op: 'StepRun', displayName: 'attempt-1', data: null });
  expect(await run.next()).toBeNull();
  expect(await deliveryOf(id)).toMatchObject({ state: 'succeeded', attempts: 1 });
  expect(receiver.received).toHaveLength(1);
  expect(receiver.received[0]?.headers).toMatchObject({ 'webhook-id': `evt_${id.slice(4)}`, 'webhook-attempt': '1' });
});

test('deliveries that are due together share one run', async () => {
  const webhook = await makeWebhook(receiver.url);
  const ids = await webhook.emit(30);
  const [event, ...others] = await Promise.all(ids.map((id) => eventOf(id)));
  if (!event) return expect.unreachable('thirty were sent');
  for (const { data } of [event, ...others]) expect(data).toMatchObject({ batch: true });
  const run = startRun(server.origin, DELIVER, event, others);
  expect(await run.next()).toMatchObject({ op: 'StepRun', displayName: 'attempt-1', data: null });
  expect(await run.next()).toBeNull();
  expect(receiver.received).toHaveLength(30);
  expect((await webhook.deliveries()).every(({ state }) => state === 'succeeded')).toBe(true);
});

test('a delivery that fails sleeps until the next attempt, which has the next number', async () => {
  receiver.answer(status(500));
  const { webhook, id, run } = await emitted();
  const first = await run.next();
  const due = (await deliveryOf(id)).nextAttemptAt?.toISOString();
  expect(first).toMatchObject({ op: 'StepRun', data: due });
  expect(await run.next()).toMatchObject({ op: 'Sleep', name: due });
  // A run that wakes too early makes no attempt and sleeps again.
  expect(await run.next()).toMatchObject({ op: 'StepRun', displayName: 'attempt-2', data: due });
  expect(await run.next()).toMatchObject({ op: 'Sleep', name: due });
  expect(receiver.received).toHaveLength(1);
  receiver.answer(status(204));
  await makeDue(id);
  expect(await run.next()).toMatchObject({ op: 'StepRun', displayName: 'attempt-3', data: null });
  expect(await run.next()).toBeNull();
  expect(receiver.received.map(({ headers }) => headers['webhook-attempt'])).toEqual(['1', '2']);
  expect((await webhook.attempts(id)).map((one) => one.status)).toEqual([500, 204]);
});

test('a run ends after the tenth attempt', async () => {
  receiver.answer(status(500));
  const { id, run } = await emitted();
  for (let attempt = 1; attempt <= 9; attempt += 1) {
    expect(await run.next()).toMatchObject({ op: 'StepRun' });
    expect(await run.next()).toMatchObject({ op: 'Sleep' });
    await makeDue(id);
  }
  expect(await run.next()).toMatchObject({ op: 'StepRun', data: null });
  expect(await run.next()).toBeNull();
  expect(await deliveryOf(id)).toMatchObject({ state: 'failed', attempts: 10 });
});

test('a run ends when its delivery is held; resuming the endpoint starts another', async () => {
  receiver.answer(status(500));
  const { webhook, id, event, run } = await emitted();
  await run.next();
  await run.next();
  await pauseEndpoint(new Date(), webhook.target);
  await makeDue(id);
  expect(await run.next()).toMatchObject({ op: 'StepRun', data: null });
  expect(await run.next()).toBeNull();
  expect(await deliveryOf(id)).toMatchObject({ state: 'pending', attempts: 1 });
  receiver.answer(status(200));
  await resumeEndpoint(new Date(), webhook.target);
  const again = startRun(server.origin, DELIVER, await eventOf(id, event));
  expect(await again.next()).toMatchObject({ op: 'StepRun', data: null });
  expect(await deliveryOf(id)).toMatchObject({ state: 'succeeded', attempts: 2 });
});

test('the run of an earlier dispatch makes no second attempt and ends', async () => {
  receiver.answer(status(500));
  const { id, event, run } = await emitted();
  await run.next();
  await run.next();
  await database.query('UPDATE deliveries SET next_attempt_at = now(), handed_at = NULL WHERE id = $1', [id]);
  const later = startRun(server.origin, DELIVER, await eventOf(id, event));
  expect(await later.next()).toMatchObject({ op: 'StepRun', data: expect.any(String) });
  expect(await run.next()).toMatchObject({ op: 'StepRun', data: null });
  expect(await run.next()).toBeNull();
  expect(await later.next()).toMatchObject({ op: 'Sleep' });
  expect(receiver.received).toHaveLength(2);
});

test('while an attempt is running, another run sleeps until its lease expires', async () => {
  receiver.answer(hang);
  const { id, run, event } = await emitted();
  const first = run.next();
  await until(
    async () => receiver.received.length,
    (count) => count === 1,
  );
  const { leasedUntil } = await deliveryOf(id);
  const second = startRun(server.origin, DELIVER, event);
  expect(await second.next()).toMatchObject({ op: 'StepRun', data: leasedUntil?.toISOString() });
  expect(await second.next()).toMatchObject({ op: 'Sleep', name: leasedUntil?.toISOString() });
  await receiver.close();
  expect(await first).toMatchObject({ op: 'StepRun', data: expect.any(String) });
  expect(await deliveryOf(id)).toMatchObject({ attempts: 1, leasedUntil: null });
});

test('a step that throws is retried until the retries of Inngest are used up', async () => {
  const { id, run } = await emitted();
  await database.query(`ALTER TABLE delivery_attempts RENAME TO delivery_attempts_away`);
  try {
    const failed = await run.call();
    expect(failed.status).toBe(206);
    expect(failed.headers.get('x-inngest-no-retry')).toBe('false');
    expect(failed.body).toMatchObject([{ op: 'StepError', displayName: 'attempt-1' }]);
    expect((await run.call(4)).body).toMatchObject([{ op: 'StepFailed' }]);
  } finally {
    await database.query(`ALTER TABLE delivery_attempts_away RENAME TO delivery_attempts`);
  }
  expect(await run.next()).toMatchObject({ op: 'StepRun', data: null });
  expect(await deliveryOf(id)).toMatchObject({ state: 'succeeded', attempts: 1 });
});

test('the run of a deleted delivery ends', async () => {
  const { id, run } = await emitted();
  await database.query('DELETE FROM deliveries WHERE id = $1', [id]);
  expect(await run.next()).toMatchObject({ op: 'StepRun', data: null });
  expect(await run.next()).toBeNull();
});

test('the sweep dispatches a delivery that Inngest lost again', async () => {
  const { id, event } = await emitted();
  const sweep = () =>
    startRun(server.origin, SWEEP, { name: 'inngest/scheduled.timer', data: { cron: '* * * * *' } }).call();
  expect(await sweep()).toMatchObject({ status: 200, body: { released: 0 } });
  await database.query(
    `UPDATE deliveries SET next_attempt_at = now() - interval '2 minutes', handed_at = now() - interval '61 seconds'
     WHERE id = $1`,
    [id],
  );
  expect(await sweep()).toMatchObject({ status: 200, body: { released: 1 } });
  const again = await eventOf(id, event);
  const run = startRun(server.origin, DELIVER, again);
  expect(await run.next()).toMatchObject({ op: 'StepRun', data: null });
  expect(await deliveryOf(id)).toMatchObject({ state: 'succeeded' });
});
