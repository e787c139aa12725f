import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testEventPayload } from '@/lib/contract/events';
import { countRows } from '@/tests/support/booking-rows';
import { type Desk, makeDesk } from '@/tests/support/bookings';
import { type Receiver, startReceiver } from '@/tests/support/receiver';
import { until } from '@/tests/support/until';
import { addEndpoint } from '@/tests/support/webhooks';
import { sendTo } from './send';

const KEY = 'send-me-a-test-event';

let receiver: Receiver;
let desk: Desk;
let webhook: Awaited<ReturnType<typeof addEndpoint>>;

beforeAll(async () => {
  receiver = await startReceiver();
  desk = await makeDesk();
  webhook = await addEndpoint(desk.tenant.id, desk.applicationId, receiver.url);
});

afterAll(() => receiver.close());

test('sends one signed test event to the endpoint of the application, and replays its response', async () => {
  const first = await sendTo(desk, {}, { key: KEY });
  expect([first.status, first.headers.location]).toEqual([202, undefined]);
  const again = await sendTo(desk, {}, { key: KEY });
  expect([again.status, again.data]).toEqual([202, first.data]);
  expect(again.headers).toMatchObject({ 'idempotent-replayed': 'true', 'x-original-request-id': first.requestId });
  const [one] = await until(
    async () => receiver.received,
    ({ length }) => length > 0,
  );
  const { id, timestamp } = first.data.event;
  const sent = new Webhook(webhook.secret).verify(one?.body ?? '', one?.headers ?? {});
  expect(testEventPayload.parse(sent)).toMatchObject({ id, type: 'webhook.test', timestamp, data: {} });
  expect(one?.headers['webhook-id']).toBe(id);
  expect(await countRows(desk.tenant.id)).toMatchObject({ events: 1, keys: 1 });
  expect(await webhook.deliveries()).toMatchObject([{ eventId: id, test: true }]);
});

test('refuses the idempotency key of another write', async () => {
  await desk.create(desk.body(), { key: `${KEY}-too` });
  const reply = await sendTo(desk, {}, { key: `${KEY}-too` });
  expect([reply.status, reply.error.code]).toEqual([409, 'idempotency_key_reused']);
});
