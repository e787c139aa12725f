import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { deliverMails } from '@/lib/activity/mail/deliver';
import { inPool, queueMail } from '@/lib/activity/mail/queue';
import { createBooking } from '@/lib/contract/operations';
import { startPolling, stopPolling } from '@/lib/platform/cache';
import { db } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { holdLeases } from '@/lib/webhooks/lease-session';
import { startWorker } from '@/lib/webhooks/worker';
import { BOOKINGS, CUSTOMER, dayAhead, post } from '@/tests/support/bookings';
import { createClient } from '@/tests/support/client';
import { makeBusiness, makeTenant } from '@/tests/support/factories';
import { startMailServer } from '@/tests/support/mail-server';
import { type OwnDatabase, ownDatabase } from '@/tests/support/own-database';
import { hang, type Receiver, startReceiver, status } from '@/tests/support/receiver';
import { startServer, type TestServer } from '@/tests/support/server';
import { repeats, SOAK } from '@/tests/support/soak';
import { until } from '@/tests/support/until';
import { addEndpoint, dependenciesOf, makeWebhook, manualClock } from '@/tests/support/webhooks';
import { withinLimit } from '@/tests/support/within-limit';

let database: OwnDatabase;
let mail: Awaited<ReturnType<typeof startMailServer>>;
let server: TestServer;
const receivers: Receiver[] = [];

const start = (env: Record<string, string> = {}) =>
  startServer({ databaseUrl: database.url, env: { ...mail.settings, WEBHOOKS_ALLOW_LOOPBACK: '1', ...env } });

beforeAll(async () => {
  [database, mail] = [await ownDatabase(), await startMailServer()];
  Object.assign(process.env, mail.settings);
  server = await start();
});

afterEach(async () => {
  await Promise.all(receivers.splice(0).map((receiver) => receiver.close()));
});

afterAll(async () => {
  await server?.stop();
  await mail.close();
  await database.drop();
});

async function receive(answering = status(200)): Promise<Receiver> {
  const receiver = await startReceiver(answering);
  receivers.push(receiver);
  return receiver;
}

test('the event of a booking arrives within a second of its commit, signed, without customer data', async () => {
  const receiver = await receive();
  const business = await makeBusiness();
  const { secret } = await addEndpoint(business.tenant.id, business.applicationId, receiver.url);
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

test('several processes share the work: every delivery is made once', async () => {
  const receiver = await receive();
  const webhooks = await Promise.all(Array.from({ length: 5 }, () => makeWebhook(receiver.url)));
  // This process is the other one.
  const worker = startWorker({ ...dependenciesOf(manualClock()), clock: () => new Date() });
  const ids = (await Promise.all(webhooks.map(({ emit }) => emit(repeats(40, 100), new Date())))).flat();
  const waiting = () => db().delivery.count({ where: { id: { in: ids }, state: { not: 'succeeded' } } });
  await until(waiting, (count) => count === 0, 30_000);
  await worker.stop();
  const received = receiver.received.map(({ headers }) => headers['webhook-id'] ?? '');
  expect(received.sort()).toEqual(ids.map((id) => `evt_${id.slice(4)}`).sort());
});

/** Queues mails while the mail server hangs, and waits until the server sends one. Returns the addresses. */
async function sendMails(): Promise<string[]> {
  const { id: tenantId } = await makeTenant();
  mail.behave({ onData: () => 'hang' });
  mail.received.length = 0;
  const facts = { business: 'A', inviter: 'B', url: 'https://booking.example/invite/x', endsAt: new Date() };
  const to = Array.from({ length: 6 }, () => `${newId('usr')}@salon.example`);
  for (const email of to) {
    const queued = { tenantId, userId: null, email, kind: 'invitation', cause: email.slice(0, 30), facts } as const;
    await queueMail(inPool, new Date(), queued);
  }
  await until(
    async () => mail.received.length,
    (count) => count > 0,
  );
  return to;
}

/** Sends the mails that a killed server has left. */
async function expectMailed(to: string[]): Promise<void> {
  mail.behave({});
  // As if the 90 seconds of the lease had passed.
  await database.query('UPDATE mails SET leased_until = now() WHERE leased_until IS NOT NULL');
  // As the next server does.
  while ((await deliverMails(() => new Date(), mail.smtp)) > 0);
  await until(
    () => db().mail.count({ where: { email: { in: to }, sentAt: { not: null } } }),
    (sent) => sent === to.length,
  );
  for (const email of to) {
    const copies = mail.received.filter((one) => one.to.includes(email));
    expect(copies.length).toBeGreaterThan(0);
    expect(copies.length).toBeLessThanOrEqual(2);
  }
  expect(mail.received.length).toBeGreaterThan(to.length);
}

describe('after the server is killed', () => {
  let to: string[];
  let receiver: Receiver;
  let webhook: Awaited<ReturnType<typeof makeWebhook>>;
  let ids: string[];

  beforeAll(async () => {
    to = await sendMails();
    receiver = await receive(hang);
    webhook = await makeWebhook(receiver.url);
    ids = await webhook.emit(8);
    await until(
      async () => receiver.received.length,
      (count) => count === 4,
    );
    await server.kill();
  });

  test('its attempts are repeated with the same ids, and the rest follows at once', async () => {
    receiver.answer(status(200));
    // This process is the next one.
    holdLeases();
    startPolling();
    const worker = startWorker({ ...dependenciesOf(manualClock()), clock: () => new Date() });
    const isDone = (all: { state: string }[]) => all.every(({ state }) => state === 'succeeded');
    // The leases of the killed process would last 30 s.
    await until(webhook.deliveries, isDone, 10_000);
    await Promise.all([worker.stop(), stopPolling()]);
    const attempts = receiver.received.map(({ headers }) => `${headers['webhook-id']} ${headers['webhook-attempt']}`);
    const event = (one: string) => `evt_${one.slice(4)}`;
    const repeated = ids.slice(0, 4).flatMap((one) => [`${event(one)} 1`, `${event(one)} 2`]);
    expect(attempts.sort()).toEqual([...repeated, ...ids.slice(4).map((one) => `${event(one)} 1`)].sort());
    expect(await webhook.attempts(ids[0] ?? '')).toMatchObject([
      { number: 1, durationMs: null, status: null },
      { number: 2, status: 200 },
    ]);
  });

  test('it loses no mail, and the next one sends at most one duplicate', () => expectMailed(to));

  test.each(SOAK ? ['http://127.0.0.1:4321'] : [])('it loses no mail with Inngest at %s', async (url) => {
    const other = await start({ INNGEST_DEV: url });
    const sent = await sendMails();
    await other.kill();
    await expectMailed(sent);
  });
});
