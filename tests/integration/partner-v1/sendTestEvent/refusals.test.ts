import { expect, test } from 'vitest';
import { db } from '@/lib/platform/db';
import { pauseEndpoint } from '@/lib/webhooks/endpoint';
import { countRows, expectRefusal, NOTHING } from '@/tests/support/booking-rows';
import { makeDesk } from '@/tests/support/bookings';
import { hang, startReceiver } from '@/tests/support/receiver';
import { addEndpoint } from '@/tests/support/webhooks';
import { sendTo, TEST_EVENTS } from './send';

const NOWHERE = 'http://127.0.0.1:59999/hooks';

test('returns 409 with the reason while there is no active endpoint, and binds nothing', async () => {
  const desk = await makeDesk();
  const sending = { key: 'the-same-key-again' };
  expectRefusal(await sendTo(desk, {}, sending), 409, 'endpoint_unavailable', 'no_endpoint');
  const { target } = await addEndpoint(desk.tenant.id, desk.applicationId, NOWHERE);
  await pauseEndpoint(new Date(), target);
  expectRefusal(await sendTo(desk, {}, sending), 409, 'endpoint_unavailable', 'endpoint_paused');
  await db().webhookEndpoint.update({
    where: { applicationId: desk.applicationId },
    data: { state: 'disabled', stateReason: 'gone' },
  });
  expectRefusal(await sendTo(desk, {}, sending), 409, 'endpoint_unavailable', 'endpoint_disabled');
  expect(await countRows(desk.tenant.id)).toEqual(NOTHING);
});

test('returns 429 while ten test events wait', async () => {
  const receiver = await startReceiver(hang);
  const desk = await makeDesk();
  const { deliveries } = await addEndpoint(desk.tenant.id, desk.applicationId, receiver.url);
  const replies = await Promise.all(Array.from({ length: 12 }, () => sendTo(desk)));
  expect(replies.map(({ status }) => status).sort()).toEqual([...Array(10).fill(202), 429, 429]);
  const refused = replies.find(({ status }) => status === 429);
  expect(refused?.headers['retry-after']).toBe('15');
  expect(await deliveries()).toHaveLength(10);
  await receiver.close();
});

test('returns 400 for a missing idempotency key and for any body but an empty object', async () => {
  const desk = await makeDesk();
  const headers = { 'content-type': 'application/json' };
  const missing = await desk.client(TEST_EVENTS, { method: 'POST', headers, body: '{}' });
  expectRefusal(missing, 400, 'invalid_request', 'idempotency_key_required');
  expectRefusal(await sendTo(desk, { type: 'booking.created' }), 400, 'invalid_request', 'unknown_field');
  for (const body of ['', 'null', '[]', '"x"', '{']) {
    expectRefusal(await sendTo(desk, body), 400, 'invalid_request', null);
  }
});
