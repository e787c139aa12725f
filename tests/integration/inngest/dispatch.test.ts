import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { readDeliveries } from '@/lib/operations/metrics/deliveries';
import { attemptDue } from '@/lib/webhooks/attempt-due';
import { dueApplications, leaseOldest } from '@/lib/webhooks/lease';
import { type OwnDatabase, ownDatabase } from '@/tests/support/own-database';
import { hang, type Receiver, startReceiver, status } from '@/tests/support/receiver';
import { until } from '@/tests/support/until';
import { dependenciesOf, type ManualClock, makeWebhook, manualClock } from '@/tests/support/webhooks';

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
  clock = manualClock(new Date('2026-09-14T10:00:00Z'));
  receiver = await startReceiver();
  return () => receiver.close();
});

const due = () => dueApplications(clock.now(), 10);

test('an application is due once, however many deliveries it has, and does not hide others', async () => {
  const busy = await makeWebhook(receiver.url, clock.now());
  const [first] = await busy.emit(500);
  const other = await makeWebhook(receiver.url, clock.now());
  const [id] = await other.emit();
  const found = await due();
  expect(found).toHaveLength(2);
  expect(found).toContainEqual({ applicationId: busy.applicationId, deliveryId: first, running: 0 });
  expect(found).toContainEqual({ applicationId: other.applicationId, deliveryId: id, running: 0 });
});

test('an application is not due while its endpoint has all the attempts that it may have', async () => {
  const webhook = await makeWebhook(receiver.url, clock.now());
  await webhook.emit(6);
  await leaseOldest(clock.now(), webhook.applicationId, 3);
  expect(await due()).toMatchObject([{ running: 3 }]);
  await leaseOldest(clock.now(), webhook.applicationId, 1);
  expect(await due()).toEqual([]);
  clock.advance(30_000);
  await database.query('UPDATE webhook_endpoints SET failing = true');
  expect(await due()).toMatchObject([{ running: 0 }]);
  await leaseOldest(clock.now(), webhook.applicationId);
  expect(await due()).toEqual([]);
});

test('a run makes all due attempts, oldest first', async () => {
  const webhook = await makeWebhook(receiver.url, clock.now());
  const ids = await webhook.emit(20);
  expect(await attemptDue(dependenciesOf(clock), webhook.applicationId)).toBe(20);
  const place = (id: string) =>
    receiver.received.findIndex(({ headers }) => headers['webhook-id'] === `evt_${id.slice(4)}`);
  // Four attempts run at the same time, so each can arrive up to three places early or late.
  for (const [index, id] of ids.entries()) expect(Math.abs(place(id) - index)).toBeLessThan(4);
  expect(await due()).toEqual([]);
});

test('a run makes all due attempts of an endpoint that fails meanwhile', async () => {
  const webhook = await makeWebhook(receiver.url, clock.now());
  await webhook.emit(12);
  receiver.answer((one, res, req) => status(receiver.received.length <= 4 ? 500 : 200)(one, res, req));
  expect(await attemptDue(dependenciesOf(clock), webhook.applicationId)).toBe(12);
});

test('an attempt that takes long does not keep the other deliveries waiting', async () => {
  const webhook = await makeWebhook(receiver.url, clock.now());
  const [slow = '', ...others] = await webhook.emit(20);
  receiver.answer((one, res, req) =>
    (one.headers['webhook-id'] === `evt_${slow.slice(4)}` ? hang : status(200))(one, res, req),
  );
  const run = attemptDue(dependenciesOf(clock), webhook.applicationId);
  await until(webhook.deliveries, (all) => all.filter(({ state }) => state === 'succeeded').length === others.length);
  // While the run waits for the slow attempt, another run may start for the next delivery.
  await webhook.emit();
  expect(await due()).toMatchObject([{ running: 1 }]);
  await receiver.close();
  expect(await run).toBe(21);
});

test('a run makes no attempt that is not due yet', async () => {
  receiver.answer(status(500));
  const webhook = await makeWebhook(receiver.url, clock.now());
  await webhook.emit();
  expect(await attemptDue(dependenciesOf(clock), webhook.applicationId)).toBe(1);
  expect(await attemptDue(dependenciesOf(clock), webhook.applicationId)).toBe(0);
  clock.advance(5_000);
  expect(await due()).toHaveLength(1);
  expect(await attemptDue(dependenciesOf(clock), webhook.applicationId)).toBe(1);
});

test('a process that shuts down starts no further attempts', async () => {
  const webhook = await makeWebhook(receiver.url, clock.now());
  await webhook.emit(6);
  const draining = () => receiver.received.length > 0;
  expect(await attemptDue({ ...dependenciesOf(clock), draining }, webhook.applicationId)).toBe(4);
});

test('the delivery lag counts only endpoints that do not fail', async () => {
  const webhook = await makeWebhook(receiver.url, clock.now());
  await webhook.emit();
  expect((await readDeliveries())?.lag).toBeGreaterThan(0);
  await database.query('UPDATE webhook_endpoints SET failing = true');
  expect(await readDeliveries()).toEqual({ waiting: 1, held: 0, lag: 0 });
});

test('a server that does not use Inngest does not load it', () => {
  const seen = new Set<string>();
  const follow = (file: string) => {
    if (seen.has(file)) return;
    seen.add(file);
    const text = readFileSync(file, 'utf8');
    expect(text).not.toMatch(/from "inngest/);
    for (const [, part = ''] of text.matchAll(/from "\.\/(?:server-parts\/)?([^"]+)"/g))
      follow(`.next/server-parts/${part}`);
  };
  follow('.next/server.mjs');
  expect(seen.size).toBeGreaterThan(1);
});
