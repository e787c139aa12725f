import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createBooking } from '@/lib/contract/operations';
import { db } from '@/lib/platform/db';
import { BOOKINGS, CUSTOMER, dayAhead, post } from '@/tests/support/bookings';
import { createClient } from '@/tests/support/client';
import { makeBusiness } from '@/tests/support/factories';
import { type OwnDatabase, ownDatabase } from '@/tests/support/own-database';
import { hang, type Receiver, startReceiver, status } from '@/tests/support/receiver';
import { startServer, type TestServer } from '@/tests/support/server';
import { repeats } from '@/tests/support/soak';
import { until } from '@/tests/support/until';
import { addEndpoint, makeWebhook } from '@/tests/support/webhooks';
import { withinLimit } from '@/tests/support/within-limit';

let database: OwnDatabase;
const servers: TestServer[] = [];
const receivers: Receiver[] = [];

beforeAll(async () => {
  database = await ownDatabase();
});

afterEach(async () => {
  await Promise.all(receivers.splice(0).map((receiver) => receiver.close()));
});

afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop()));
  await database.drop();
});

async function start(): Promise<TestServer> {
  const server = await startServer({ databaseUrl: database.url, env: { WEBHOOKS_ALLOW_LOOPBACK: '1' } });
  servers.push(server);
  return server;
}

/** Starts servers until `count` are running. The tests share these servers. Returns the first server. */
async function running(count: number): Promise<TestServer> {
  const missing = Array.from({ length: Math.max(0, count - servers.length) }, start);
  await Promise.all(missing);
  return servers[0] ?? (await start());
}

async function receive(answering = status(200)): Promise<Receiver> {
  const receiver = await startReceiver(answering);
  receivers.push(receiver);
  return receiver;
}

test('the event of a booking arrives within a second of its commit, signed, without customer data', async () => {
  const receiver = await receive();
  const business = await makeBusiness();
  const { secret } = await addEndpoint(business.tenant.id, business.applicationId, receiver.url);
  const server = await running(1);
  const client = createClient({ origin: server.origin, key: business.key });
  const body = { service_id: business.service.id, date: dayAhead(), external_reference: 'order-1' };
  const customer = { ...CUSTOMER, name: 'Nobody Must See' };
  let hour = 9;
  const { one, reply, took } = await withinLimit(1_000, async () => {
    const before = receiver.received.length;
    hour += 1;
    const made = { ...body, start_time: `${hour}:00`, customer };
    const reply = await post(client, BOOKINGS, createBooking, made);
    expect(reply.status).toBe(201);
    const committed = performance.now();
    const received = await until(
      async () => receiver.received,
      ({ length }) => length > before,
    );
    const one = received[before];
    return { one, reply, took: (one?.at ?? 0) - committed };
  });
  expect(took).toBeLessThan(1_000);
  expect(new Webhook(secret).verify(one?.body ?? '', one?.headers ?? {})).toMatchObject({
    type: 'booking.created',
    data: { booking: { reference: reply.data.booking.reference, version: 1 }, actor: 'partner' },
  });
  expect(one?.body).not.toMatch(/Nobody|5550|customer/);
});

test('after the server is killed, its attempts are repeated with the same ids, and the rest follows at once', async () => {
  const receiver = await receive(hang);
  const webhook = await makeWebhook(receiver.url);
  const first = await running(1);
  const ids = await webhook.emit(8);
  const [id = ''] = ids;
  await until(
    async () => receiver.received.length,
    (count) => count === 4,
  );
  await first.kill();
  servers.splice(servers.indexOf(first), 1);
  receiver.answer(status(200));
  await running(1);
  const isDone = (all: { state: string }[]) => all.every(({ state }) => state === 'succeeded');
  // The leases of the killed process would last 30 s.
  await until(webhook.deliveries, isDone, 10_000);
  const attempts = receiver.received.map(({ headers }) => `${headers['webhook-id']} ${headers['webhook-attempt']}`);
  const event = (one: string) => `evt_${one.slice(4)}`;
  const repeated = ids.slice(0, 4).flatMap((one) => [`${event(one)} 1`, `${event(one)} 2`]);
  expect(attempts.sort()).toEqual([...repeated, ...ids.slice(4).map((one) => `${event(one)} 1`)].sort());
  expect(await webhook.attempts(id)).toMatchObject([
    { number: 1, durationMs: null, status: null },
    { number: 2, status: 200 },
  ]);
});

test('several processes share the work: every delivery is made once', async () => {
  const receiver = await receive();
  const webhooks = await Promise.all(Array.from({ length: 5 }, () => makeWebhook(receiver.url)));
  await running(repeats(2, 3));
  const ids = (await Promise.all(webhooks.map(({ emit }) => emit(repeats(40, 100), new Date())))).flat();
  const waiting = () => db().delivery.count({ where: { id: { in: ids }, state: { not: 'succeeded' } } });
  await until(waiting, (count) => count === 0, 30_000);
  const received = receiver.received.map(({ headers }) => headers['webhook-id'] ?? '');
  expect(received.sort()).toEqual(ids.map((id) => `evt_${id.slice(4)}`).sort());
});

test('a stopping server finishes its attempts first', async () => {
  let answer = () => {};
  const receiver = await receive((_, res) => {
    answer = () => res.end('late');
  });
  const webhook = await makeWebhook(receiver.url);
  await running(1);
  await webhook.emit();
  await until(
    async () => receiver.received.length,
    (count) => count === 1,
  );
  // Stops all servers, because any of them may be making the attempt.
  const stopped = Promise.all(servers.splice(0).map((server) => server.stop()));
  answer();
  await stopped;
  expect(await webhook.deliveries()).toMatchObject([{ state: 'succeeded', attempts: 1, leasedUntil: null }]);
});
