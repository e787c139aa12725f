import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { attemptDispatched } from '@/lib/webhooks/attempt-dispatched';
import { deliver } from '@/lib/webhooks/deliver';
import { releaseOverdue, takeUndispatched, undoDispatch } from '@/lib/webhooks/dispatch';
import { leaseOldest } from '@/lib/webhooks/lease';
import { type OwnDatabase, ownDatabase } from '@/tests/support/own-database';
import { startReceiver } from '@/tests/support/receiver';
import { dependenciesOf, type ManualClock, makeWebhook, manualClock } from '@/tests/support/webhooks';

const RECEIVER = 'http://127.0.0.1:40009/hooks';
const MINUTE = 60_000;

let database: OwnDatabase;
let clock: ManualClock;

beforeAll(async () => {
  database = await ownDatabase();
});

afterAll(async () => {
  await database.drop();
});

beforeEach(async () => {
  await database.query('TRUNCATE tenants CASCADE');
  clock = manualClock(new Date('2026-09-14T10:00:00Z'));
});

test('concurrent processes never take the same delivery', async () => {
  const webhook = await makeWebhook(RECEIVER, clock.now());
  const ids = await webhook.emit(1_000);
  const taken: string[] = [];
  while (taken.length < ids.length) {
    const batches = await Promise.all(Array.from({ length: 4 }, () => takeUndispatched(clock.now(), 100)));
    expect(batches.flat().length).toBeGreaterThan(0);
    taken.push(...batches.flat().map(({ deliveryId }) => deliveryId));
  }
  expect(taken.sort()).toEqual(ids);
  expect(await takeUndispatched(clock.now(), 100)).toEqual([]);
});

test('an endpoint with a long queue does not delay others', async () => {
  const busy = await makeWebhook(RECEIVER, clock.now());
  await busy.emit(500);
  clock.advance(1_000);
  const other = await makeWebhook(RECEIVER, clock.now());
  const [id] = await other.emit(1, clock.now());
  const taken = await takeUndispatched(clock.now(), 10);
  expect(taken.map(({ deliveryId }) => deliveryId)).toContain(id);
});

test('does not undo a later dispatch', async () => {
  const webhook = await makeWebhook(RECEIVER, clock.now());
  await webhook.emit(2);
  const [first, second] = await takeUndispatched(clock.now(), 2);
  if (!first || !second) return expect.unreachable('two were due');
  const later = new Date(clock.now().getTime() + 1_000);
  await database.query('UPDATE deliveries SET handed_at = $2 WHERE id = $1', [first.deliveryId, later]);
  await undoDispatch([first, second]);
  const handed = Object.fromEntries((await webhook.deliveries()).map(({ id, handedAt }) => [id, handedAt]));
  expect(handed).toEqual({ [first.deliveryId]: later, [second.deliveryId]: null });
});

test('releases overdue deliveries after a minute, and no others', async () => {
  const webhook = await makeWebhook(RECEIVER, clock.now());
  await webhook.emit(3);
  await takeUndispatched(clock.now(), 3);
  clock.advance(MINUTE - 1);
  expect(await releaseOverdue(clock.now())).toBe(0);
  clock.advance(1);
  expect(await releaseOverdue(clock.now())).toBe(3);
  await takeUndispatched(clock.now(), 3);
  await database.query('UPDATE deliveries SET next_attempt_at = $1', [new Date(clock.now().getTime() + 10 * MINUTE)]);
  clock.advance(5 * MINUTE);
  expect(await releaseOverdue(clock.now())).toBe(0);
});

test('releases a delivery only after 15 minutes while its endpoint has a running attempt', async () => {
  const webhook = await makeWebhook(RECEIVER, clock.now());
  const [first = ''] = await webhook.emit(3);
  await takeUndispatched(clock.now(), 3);
  clock.advance(14 * MINUTE);
  expect(await leaseOldest(clock.now(), webhook.applicationId, 1)).toMatchObject([{ deliveryId: first }]);
  expect(await releaseOverdue(clock.now())).toBe(0);
  clock.advance(MINUTE);
  await database.query('UPDATE deliveries SET leased_until = $2 WHERE id = $1', [
    first,
    new Date(clock.now().getTime() + MINUTE),
  ]);
  expect(await releaseOverdue(clock.now())).toBe(2);
});

test('spares an endpoint with an attempt that began within the last minute', async () => {
  const receiver = await startReceiver();
  const webhook = await makeWebhook(receiver.url, clock.now());
  await webhook.emit(3);
  await takeUndispatched(clock.now(), 3);
  clock.advance(2 * MINUTE);
  const [lease] = await leaseOldest(clock.now(), webhook.applicationId, 1);
  if (!lease) return expect.unreachable('one was due');
  await deliver(dependenciesOf(clock), lease);
  clock.advance(MINUTE - 1);
  expect(await releaseOverdue(clock.now())).toBe(0);
  clock.advance(1);
  expect(await releaseOverdue(clock.now())).toBe(2);
  await receiver.close();
});

test('dispatches the oldest deliveries first, and a run attempts them first, whatever it was started for', async () => {
  const receiver = await startReceiver();
  const webhook = await makeWebhook(receiver.url, clock.now());
  const ids = await webhook.emit(6);
  const taken = await takeUndispatched(clock.now(), 6);
  expect(taken.map(({ deliveryId }) => deliveryId)).toEqual(ids);
  expect(await attemptDispatched(dependenciesOf(clock), webhook.applicationId, taken.slice(-1))).toBeNull();
  const received = receiver.received.map(({ headers }) => `dlv_${headers['webhook-id']?.slice(4)}`);
  // Four attempts run at the same time, so the order can differ within the first four and within the last two.
  expect([...received.slice(0, 4).sort(), ...received.slice(4).sort()]).toEqual(ids);
  await receiver.close();
});

test('a process that shuts down starts no further attempts', async () => {
  const receiver = await startReceiver();
  const webhook = await makeWebhook(receiver.url, clock.now());
  await webhook.emit(6);
  const taken = await takeUndispatched(clock.now(), 6);
  const dependencies = { ...dependenciesOf(clock), draining: () => true };
  expect(await attemptDispatched(dependencies, webhook.applicationId, taken)).toEqual(clock.now());
  expect(receiver.received).toHaveLength(4);
  await receiver.close();
});

test('a run sleeps while another one attempts the deliveries of a failing endpoint', async () => {
  const webhook = await makeWebhook(RECEIVER, clock.now());
  await webhook.emit(2);
  await database.query('UPDATE webhook_endpoints SET failing = true');
  const taken = await takeUndispatched(clock.now(), 2);
  expect(await leaseOldest(clock.now(), webhook.applicationId, 2)).toHaveLength(1);
  const leasedUntil = new Date(clock.now().getTime() + 30_000);
  expect(await attemptDispatched(dependenciesOf(clock), webhook.applicationId, taken.slice(-1))).toEqual(leasedUntil);
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
