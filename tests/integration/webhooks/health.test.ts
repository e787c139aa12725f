import { expect, test } from 'vitest';
import { setSuspended } from '@/lib/access/applications/applications';
import { BOOKING_EVENT_TYPES } from '@/lib/contract/events';
import { db } from '@/lib/platform/db';
import { deliver } from '@/lib/webhooks/deliver';
import { updateEndpoint } from '@/lib/webhooks/endpoint';
import { type Lease, leaseDue } from '@/lib/webhooks/lease';
import { startReceiver, status } from '@/tests/support/receiver';
import { deliverDue, dependenciesOf, LOOPBACK, makeWebhook } from '@/tests/support/webhooks';
import { stageOfEachTest } from './stage';

const stage = stageOfEachTest();

const daysAgo = (days: number) => new Date(stage.clock.now().getTime() - days * 86_400_000);

/**
 * Changes the endpoint's row as if the last success was six days ago and attempts have failed on two days since then.
 * The next failure disables the endpoint.
 */
const nearlyDisabled = () =>
  db().webhookEndpoint.updateMany({
    data: { failing: true, failedDays: 2, lastFailedOn: daysAgo(1), quietSince: daysAgo(6) },
  });

async function moveTo(url: string) {
  const { version } = await stage.webhook.endpoint();
  const target = { ...stage.webhook.target, expectedVersion: version };
  await updateEndpoint(stage.clock.now(), target, { url, eventTypes: BOOKING_EVENT_TYPES }, LOOPBACK);
}

test('the response of the former URL does not affect the health of the new one', async () => {
  const next = await startReceiver();
  stage.receiver.answer(status(410));
  await stage.webhook.emit(1, stage.clock.now());
  const [lease] = await leaseDue(stage.clock.now(), 1);
  await moveTo(next.url);
  await deliver(dependenciesOf(stage.clock), lease as Lease);
  expect(stage.receiver.received).toHaveLength(1);
  expect(await stage.webhook.endpoint()).toMatchObject({ state: 'active', failing: false, failedDays: 0 });
  // The delivery counts the attempt at the former URL. Its next attempt goes to the new URL.
  expect(await stage.webhook.deliveries()).toMatchObject([{ state: 'pending', attempts: 1, scheduledAttempts: 1 }]);
  stage.clock.advance(10_000);
  expect(await deliverDue(dependenciesOf(stage.clock))).toBe(1);
  expect(next.received).toHaveLength(1);
  await next.close();
});

test('an attempt affects the health although its delivery was deleted in the meantime', async () => {
  stage.receiver.answer(status(410));
  const [id] = await stage.webhook.emit(1, stage.clock.now());
  const [lease] = await leaseDue(stage.clock.now(), 1);
  await db().delivery.delete({ where: { id } });
  await deliver(dependenciesOf(stage.clock), lease as Lease);
  expect(stage.receiver.received).toHaveLength(1);
  expect(await stage.webhook.endpoint()).toMatchObject({ state: 'disabled', stateReason: 'gone', failedDays: 1 });
  expect(await stage.webhook.deliveries()).toEqual([]);
});

test('a new URL resets the failures; saving the same URL does not', async () => {
  await nearlyDisabled();
  await moveTo(stage.receiver.url);
  expect(await stage.webhook.endpoint()).toMatchObject({ failing: true, failedDays: 2 });
  await moveTo(`${stage.receiver.url}/moved`);
  stage.receiver.answer(status(500));
  await stage.webhook.emit(1, stage.clock.now());
  expect(await deliverDue(dependenciesOf(stage.clock))).toBe(1);
  expect(await stage.webhook.endpoint()).toMatchObject({ state: 'active', failing: true, failedDays: 1 });
});

test('the time of a suspension does not count as time without a success', async () => {
  await nearlyDisabled();
  const suspend = (suspended: boolean) => setSuspended(stage.clock.now(), { ...stage.webhook.target, suspended });
  await suspend(true);
  await suspend(false);
  stage.receiver.answer(status(500));
  await stage.webhook.emit(1, stage.clock.now());
  expect(await deliverDue(dependenciesOf(stage.clock))).toBe(1);
  expect(await stage.webhook.endpoint()).toMatchObject({ state: 'active', failedDays: 1 });
});

test('the endpoint with the fewest running attempts comes first: slow receivers leave capacity for others', async () => {
  const slow = await Promise.all(Array.from({ length: 16 }, () => makeWebhook(stage.receiver.url, stage.clock.now())));
  for (const one of slow) await one.emit(20, stage.clock.now());
  const startedAt = await leaseDue(stage.clock.now(), 64);
  // A quarter of the 64 attempts is reserved for endpoints without a running attempt. The other 48 start: 3 for each
  // of the 16 endpoints.
  expect(startedAt).toHaveLength(48);
  const counts = slow.map(
    ({ applicationId }) => startedAt.filter((lease) => lease.applicationId === applicationId).length,
  );
  expect(new Set(counts)).toEqual(new Set([3]));

  stage.clock.advance(100);
  const [quick = ''] = await stage.webhook.emit(5, stage.clock.now());
  expect((await leaseDue(stage.clock.now(), 16)).map(({ deliveryId }) => deliveryId)).toEqual([quick]);
  expect(await leaseDue(stage.clock.now(), 15)).toEqual([]);
});

test('a test event comes before waiting deliveries', async () => {
  const [, last = ''] = await stage.webhook.emit(2, stage.clock.now());
  await db().delivery.update({ where: { id: last }, data: { test: true } });
  stage.clock.advance(100);
  expect((await leaseDue(stage.clock.now(), 1)).map(({ deliveryId }) => deliveryId)).toEqual([last]);
});
