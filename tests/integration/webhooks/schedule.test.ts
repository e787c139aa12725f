import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { db } from '@/lib/platform/db';
import { resumeEndpoint } from '@/lib/webhooks/endpoint';
import { type OwnDatabase, ownDatabase } from '@/tests/support/own-database';
import { type Receiver, startReceiver, status } from '@/tests/support/receiver';
import { deliverDue, dependenciesOf, type ManualClock, makeWebhook, manualClock } from '@/tests/support/webhooks';

const DAY = 86_400_000;

let database: OwnDatabase;
let receiver: Receiver;
let clock: ManualClock;

beforeAll(async () => {
  database = await ownDatabase();
});

afterAll(async () => {
  await database.drop();
});

beforeEach(async () => {
  await database.clear();
  receiver = await startReceiver();
  clock = manualClock(new Date('2026-09-14T10:00:00Z'));
  return () => receiver.close();
});

/** The delays before attempts 2 to 10, in seconds (contract B11). */
const DELAYS = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];

test('a delivery that never succeeds fails after ten attempts at the times of the contract', async () => {
  receiver.answer(status(500));
  const webhook = await makeWebhook(receiver.url, clock.now());
  const [id = ''] = await webhook.emit();
  const dependencies = dependenciesOf(clock);
  const startedAt = clock.now().getTime();
  const at: number[] = [];
  for (let attempt = 1; attempt <= 10; attempt += 1) {
    expect(await deliverDue(dependencies)).toBe(1);
    at.push((clock.now().getTime() - startedAt) / 1000);
    const delivery = await db().delivery.findUniqueOrThrow({ where: { id } });
    expect(delivery).toMatchObject({ attempts: attempt, scheduledAttempts: attempt, leasedUntil: null });
    if (!delivery.nextAttemptAt) break;
    clock.to(new Date(delivery.nextAttemptAt.getTime() - 1));
    expect(await deliverDue(dependencies)).toBe(0);
    clock.to(delivery.nextAttemptAt);
  }
  const sums = [0];
  for (const delay of DELAYS) sums.push((sums.at(-1) ?? 0) + delay);
  expect(at).toEqual(sums);
  expect(await db().delivery.findUniqueOrThrow({ where: { id } })).toMatchObject({ state: 'failed', dueAt: null });
  clock.advance(30 * DAY);
  expect(await deliverDue(dependencies)).toBe(0);
  const { received } = receiver;
  expect(received.map(({ headers }) => headers['webhook-attempt'])).toEqual(
    Array.from({ length: 10 }, (_, i) => String(i + 1)),
  );
  expect(new Set(received.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([`evt_${id.slice(4)}`]));
  const log = await webhook.attempts(id);
  expect(log.map(({ number, kind, status: code, error }) => [number, kind, code, error])).toEqual(
    Array.from({ length: 10 }, (_, i) => [i + 1, 'scheduled', 500, 'http_status']),
  );
});

test('the first of two Retry-After headers counts', async () => {
  receiver.answer((_, res) => void res.setHeader('retry-after', ['7', '9']).writeHead(429).end());
  const webhook = await makeWebhook(receiver.url, clock.now());
  await webhook.emit();
  await deliverDue(dependenciesOf(clock));
  const [delivery] = await webhook.deliveries();
  expect(delivery?.nextAttemptAt?.getTime()).toBe(clock.now().getTime() + 7_000);
});

test('a receiver that recovers gets the event, and its endpoint is healthy again', async () => {
  receiver.answer(status(500));
  const webhook = await makeWebhook(receiver.url, clock.now());
  const [id = ''] = await webhook.emit();
  const dependencies = dependenciesOf(clock);
  await deliverDue(dependencies);
  expect(await webhook.endpoint()).toMatchObject({ failing: true, failedDays: 1, lastSuccessAt: null });
  receiver.answer(status(204));
  clock.advance(5_000);
  await deliverDue(dependencies);
  expect(await webhook.deliveries()).toMatchObject([{ state: 'succeeded', attempts: 2, finishedAt: clock.now() }]);
  expect(await webhook.endpoint()).toMatchObject({ failing: false, failedDays: 0, lastSuccessAt: clock.now() });
  expect((await webhook.attempts(id)).map(({ status: code }) => code)).toEqual([500, 204]);
});

test('an endpoint that fails for 120 hours on three days is disabled, and its deliveries are held', async () => {
  receiver.answer(status(500));
  const webhook = await makeWebhook(receiver.url, clock.now());
  const dependencies = dependenciesOf(clock);
  for (let hours = 0; hours < 120; hours += 24) {
    await webhook.emit(1, clock.now());
    while ((await deliverDue(dependencies)) > 0);
    expect(await webhook.endpoint()).toMatchObject({ state: 'active' });
    clock.advance(DAY);
  }
  while ((await deliverDue(dependencies)) > 0);
  expect(await webhook.endpoint()).toMatchObject({ state: 'disabled', stateReason: 'failing' });
  const audit = await db().auditLog.findMany({ where: { action: 'webhook.disabled' } });
  expect(audit).toMatchObject([{ actorKind: 'system', tenantId: webhook.tenant.id, after: { reason: 'failing' } }]);
  const held = await db().delivery.count({ where: { state: 'pending' } });
  expect(held).toBeGreaterThan(2);
  await webhook.emit(1, clock.now());
  clock.advance(30 * DAY);
  expect(await deliverDue(dependencies)).toBe(0);
  receiver.answer(status(200));
  receiver.received.length = 0;
  await resumeEndpoint(clock.now(), webhook.target);
  while ((await deliverDue(dependencies, 1)) > 0);
  // The held deliveries are sent in the order of their events, oldest first.
  const ids = receiver.received.map(({ headers }) => headers['webhook-id'] ?? '');
  expect(ids).toHaveLength(held + 1);
  expect(ids).toEqual([...ids].sort());
  expect(await db().delivery.count({ where: { state: 'succeeded' } })).toBe(held + 1);
});
