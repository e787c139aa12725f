import { expect, test } from 'vitest';
import { testEventPayload } from '@/lib/contract/events';
import { deliver } from '@/lib/webhooks/deliver';
import { listDeliveries } from '@/lib/webhooks/deliveries';
import { createEndpoint, pauseEndpoint, resumeEndpoint, updateEndpoint } from '@/lib/webhooks/endpoint';
import { leaseDue } from '@/lib/webhooks/lease';
import { replayDelivery } from '@/lib/webhooks/replay';
import { sendTestEvent } from '@/lib/webhooks/test-event';
import { readEndpoint } from '@/lib/webhooks/view';
import { makeApplication } from '@/tests/support/factories';
import { startReceiver, status } from '@/tests/support/receiver';
import { deliverDue, dependenciesOf, LOOPBACK } from '@/tests/support/webhooks';
import { PAUSES } from './pauses';
import { stageOfEachTest } from './stage';

const DAY = 86_400_000;
const stage = stageOfEachTest();

test.each(PAUSES)(
  'while paused ($reason) events are held; after resuming all are due at once, oldest first',
  async (pausing) => {
    const dependencies = dependenciesOf(stage.clock);
    stage.receiver.answer(status(500));
    await stage.webhook.emit(2, stage.clock.now());
    await deliverDue(dependencies);
    await deliverDue(dependencies);
    stage.receiver.answer(status(200));
    stage.receiver.received.length = 0;
    await pausing.pause(stage);
    await stage.webhook.emit(3, stage.clock.now());
    stage.clock.advance(20 * DAY);
    expect(await deliverDue(dependencies)).toBe(0);
    if (pausing.reason !== 'scope') {
      const view = await readEndpoint(stage.clock.now(), stage.webhook.target);
      expect(view).toMatchObject({ state: 'paused', reason: pausing.reason, pending: 5 });
      expect(view?.oldest_held_at).not.toBeNull();
    } else
      await expect(readEndpoint(stage.clock.now(), stage.webhook.target)).rejects.toMatchObject({
        code: 'not_found',
      });
    await pausing.resume(stage);
    // Makes one attempt at a time, so that the receiver shows in which order the deliveries are attempted.
    while ((await deliverDue(dependencies, 1)) > 0);
    const deliveries = await stage.webhook.deliveries();
    expect(stage.receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual(
      deliveries.map((one) => one.eventId),
    );
    expect(deliveries.map(({ state, attempts }) => [state, attempts])).toEqual([
      ['succeeded', 2],
      ['succeeded', 2],
      ['succeeded', 1],
      ['succeeded', 1],
      ['succeeded', 1],
    ]);
  },
);

test('held deliveries go to the current URL', async () => {
  const other = await startReceiver();
  await pauseEndpoint(stage.clock.now(), stage.webhook.target);
  await stage.webhook.emit();
  const { version } = await stage.webhook.endpoint();
  const input = { url: other.url, eventTypes: ['booking.created'] as const };
  await updateEndpoint(stage.clock.now(), { ...stage.webhook.target, expectedVersion: version }, input, LOOPBACK);
  await resumeEndpoint(stage.clock.now(), stage.webhook.target);
  await deliverDue(dependenciesOf(stage.clock));
  expect([stage.receiver.received.length, other.received.length]).toEqual([0, 1]);
  await other.close();
});

test('an endpoint gets only events of the types to which it subscribes', async () => {
  const subscribe = async (eventType: 'booking.cancelled' | 'booking.created') => {
    const { version } = await stage.webhook.endpoint();
    const input = { url: stage.receiver.url, eventTypes: [eventType] };
    await updateEndpoint(stage.clock.now(), { ...stage.webhook.target, expectedVersion: version }, input, LOOPBACK);
  };
  await subscribe('booking.cancelled');
  await stage.webhook.emit();
  expect(await stage.webhook.deliveries()).toEqual([]);
  await subscribe('booking.created');
  await stage.webhook.emit();
  expect(await stage.webhook.deliveries()).toHaveLength(1);
});

test('no other process makes an attempt that is running, however slow the receiver is', async () => {
  await stage.webhook.emit(1, stage.clock.now());
  expect(await leaseDue(stage.clock.now(), 1)).toHaveLength(1);
  // An attempt takes at most 15 seconds (contract B11), and reading the response body another second.
  stage.clock.advance(20_000);
  expect(await leaseDue(stage.clock.now(), 1)).toEqual([]);
  stage.clock.advance(15_000);
  expect(await leaseDue(stage.clock.now(), 1)).toHaveLength(1);
});

test('a test is sent once, even while paused, and does not affect the health', async () => {
  await pauseEndpoint(stage.clock.now(), stage.webhook.target);
  stage.receiver.answer(status(500));
  await sendTestEvent(stage.clock.now(), stage.webhook.target);
  expect(await deliverDue(dependenciesOf(stage.clock))).toBe(1);
  stage.clock.advance(2 * DAY);
  expect(await deliverDue(dependenciesOf(stage.clock))).toBe(0);
  expect(await stage.webhook.deliveries()).toMatchObject([{ test: true, state: 'failed', attempts: 1 }]);
  expect(await stage.webhook.endpoint()).toMatchObject({ failing: false, failedDays: 0 });
  expect(JSON.parse(stage.receiver.received[0]?.body ?? '')).toMatchObject({ type: 'webhook.test', data: {} });
});

test('the payload of a test is the one of the contract', async () => {
  await sendTestEvent(stage.clock.now(), stage.webhook.target);
  await deliverDue(dependenciesOf(stage.clock));
  const payload = testEventPayload.parse(JSON.parse(stage.receiver.received[0]?.body ?? ''));
  expect(payload.timestamp).toBe(stage.clock.now().toISOString());
});

test('a test event is not replayed, and an application gets no second endpoint; the messages state why', async () => {
  const { deliveryId } = await sendTestEvent(stage.clock.now(), stage.webhook.target);
  await expect(replayDelivery(stage.clock.now(), stage.webhook.by, deliveryId)).rejects.toMatchObject({
    code: 'invalid_request',
    message: 'Test events cannot be replayed. Send another test event instead.',
  });
  const input = { url: stage.receiver.url, eventTypes: ['booking.created'] as const };
  await expect(createEndpoint(stage.clock.now(), stage.webhook.target, input, LOOPBACK)).rejects.toMatchObject({
    code: 'version_conflict',
    message: 'The application already has an endpoint.',
  });
});

test('of two concurrent creations of an endpoint, one is refused', async () => {
  const { applicationId } = await makeApplication(stage.webhook.tenant.id);
  const target = { ...stage.webhook.target, applicationId };
  const input = { url: stage.receiver.url, eventTypes: ['booking.created'] as const };
  const create = () => createEndpoint(stage.clock.now(), target, input, LOOPBACK);
  const outcomes = await Promise.allSettled([create(), create()]);
  const refused = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  expect(refused).toMatchObject([{ code: 'version_conflict' }]);
});

test('the second of two concurrent edits is refused', async () => {
  const { version } = await stage.webhook.endpoint();
  const target = { ...stage.webhook.target, expectedVersion: version };
  const input = { url: stage.receiver.url, eventTypes: ['booking.created'] as const };
  await updateEndpoint(stage.clock.now(), target, input, LOOPBACK);
  await expect(updateEndpoint(stage.clock.now(), target, input, LOOPBACK)).rejects.toMatchObject({
    code: 'version_conflict',
  });
});

test('an application without the scope has no endpoint', async () => {
  const { applicationId } = await makeApplication(stage.webhook.tenant.id, { scopes: ['catalog.read'] });
  const target = { ...stage.webhook.target, applicationId };
  const input = { url: stage.receiver.url, eventTypes: ['booking.created'] as const };
  const refused = { code: 'not_found' };
  await expect(createEndpoint(stage.clock.now(), target, input, LOOPBACK)).rejects.toMatchObject(refused);
  await expect(readEndpoint(stage.clock.now(), target)).rejects.toMatchObject(refused);
  await expect(sendTestEvent(stage.clock.now(), target)).rejects.toMatchObject(refused);
});

test('an interrupted attempt is followed by another when its lease expires, with the same id and the next number', async () => {
  const [id = ''] = await stage.webhook.emit();
  expect(await leaseDue(stage.clock.now(), 10)).toHaveLength(1);
  stage.clock.advance(29_000);
  expect(await deliverDue(dependenciesOf(stage.clock))).toBe(0);
  stage.clock.advance(1_001);
  expect(await deliverDue(dependenciesOf(stage.clock))).toBe(1);
  expect(stage.receiver.received.map(({ headers }) => [headers['webhook-id'], headers['webhook-attempt']])).toEqual([
    [`evt_${id.slice(4)}`, '2'],
  ]);
  expect(await stage.webhook.attempts(id)).toMatchObject([
    { number: 1, durationMs: null },
    { number: 2, status: 200 },
  ]);
});

test('a late failure does not undo the success of a later attempt', async () => {
  const [id = ''] = await stage.webhook.emit();
  const [late] = await leaseDue(stage.clock.now(), 10);
  stage.clock.advance(31_000);
  await deliverDue(dependenciesOf(stage.clock));
  stage.receiver.answer(status(500));
  if (late) await deliver(dependenciesOf(stage.clock), late);
  expect(await stage.webhook.deliveries()).toMatchObject([{ id, state: 'succeeded' }]);
});

test('deliveries are found by their booking, event, or ID in any letter case', async () => {
  const [id = ''] = await stage.webhook.emit(2);
  const list = async (reference: string | null) => {
    const filter = { state: null, type: null, reference, cursor: null };
    return (await listDeliveries(stage.clock.now(), stage.webhook.target, filter)).deliveries;
  };
  const one = (await list(null)).find((delivery) => delivery.id === id);
  for (const text of [id, one?.event_id ?? '', one?.booking_reference ?? '']) {
    expect(text).not.toBe('');
    const expected = (await list(text)).map((found) => found.id);
    expect(expected).toContain(id);
    expect((await list(text.toUpperCase())).map((found) => found.id)).toEqual(expected);
  }
  expect(await list('PBR_UNKNOWN')).toEqual([]);
  // The list shows the last answer of each.
  expect((await list(id))[0]?.last_answer).toBeNull();
  stage.receiver.answer(status(503));
  await deliverDue(dependenciesOf(stage.clock));
  const answer = { status: 503, error: 'http_status', duration_ms: expect.any(Number), interrupted: false };
  expect((await list(id))[0]?.last_answer).toMatchObject(answer);
});

test('an endpoint gets at most four concurrent attempts, and one while it is failing', async () => {
  await stage.webhook.emit(10, stage.clock.now());
  const first = await leaseDue(stage.clock.now(), 64);
  expect(first).toHaveLength(4);
  expect(await leaseDue(stage.clock.now(), 64)).toHaveLength(0);
  stage.receiver.answer(status(500));
  await Promise.all(first.map((lease) => deliver(dependenciesOf(stage.clock), lease)));
  expect(await leaseDue(stage.clock.now(), 64)).toHaveLength(1);
});
