import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { checkInngest } from '@/lib/operations/doctor/network';
import { secretsFingerprint } from '@/lib/operations/environment/claim';
import { readInngest } from '@/lib/operations/inngest';
import { db } from '@/lib/platform/db';
import { inngestSettings, parseSettings } from '@/lib/platform/env';
import { pauseEndpoint, resumeEndpoint } from '@/lib/webhooks/endpoint';
import { sendTestEvent } from '@/lib/webhooks/test-event';
import { callProcedure, makePerson, signInOverHttp } from '@/tests/support/control-center';
import { makeBusiness } from '@/tests/support/factories';
import { expectFound } from '@/tests/support/findings';
import { callRun, EVENT_KEY, type FakeInngest, inngestEnv, startFakeInngest } from '@/tests/support/inngest';
import { METRICS_TOKEN, readMetrics } from '@/tests/support/metrics';
import { type OwnDatabase, ownDatabase } from '@/tests/support/own-database';
import { type Receiver, startReceiver } from '@/tests/support/receiver';
import { startServer, TEST_SECRET, type TestServer } from '@/tests/support/server';
import { until } from '@/tests/support/until';
import { makeWebhook } from '@/tests/support/webhooks';

/** Milliseconds within which a fault of Inngest is seen, and within which deliveries go on after its end. */
const SEEN = 10_000;
const HEALED = 15_000;

let database: OwnDatabase;
let inngest: FakeInngest;
let server: TestServer;
let receiver: Receiver;

beforeAll(async () => {
  database = await ownDatabase();
  const fingerprint = secretsFingerprint({ environment: 'TEST', secretKey: TEST_SECRET });
  await db().environment.create({ data: { name: 'TEST', secretsFingerprint: fingerprint } });
  inngest = await startFakeInngest();
  server = await startServer({ databaseUrl: database.url, env: { ...inngestEnv(inngest), METRICS_TOKEN } });
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

const eventsOf = (applicationId: string) => inngest.events.filter(({ data }) => data.application_id === applicationId);

const arrived = (applicationId: string, count = 1, within?: number) =>
  until(
    async () => eventsOf(applicationId),
    ({ length }) => length >= count,
    within,
  );

test('an application gets an event within a second of the commit of a delivery, with its id only', async () => {
  const took: number[] = [];
  // Measures several dispatches and uses the shortest time, because other tests may delay a dispatch.
  for (let count = 0; count < 3 || (count < 12 && Math.min(...took) >= 1_000); count += 1) {
    const { applicationId, emit } = await makeWebhook(receiver.url);
    await emit(8);
    const startedAt = performance.now();
    const [event] = await arrived(applicationId);
    took.push(performance.now() - startedAt);
    expect(event).toMatchObject({ name: 'partner-booking.test/application.due' });
    expect(event?.data).toEqual({ application_id: applicationId, running: '0' });
    // The event is sent again while the deliveries wait, but not for each of them.
    await arrived(applicationId, 2);
    expect(eventsOf(applicationId).length).toBeLessThan(5);
    expect(await callRun(server.origin, applicationId)).toMatchObject({ status: 200, body: { attempts: 8 } });
  }
  expect(Math.min(...took)).toBeLessThan(1_000);
  expect(receiver.received).toHaveLength(took.length * 8);
});

test('held deliveries are dispatched only after their endpoint is resumed, but test events at once', async () => {
  const webhook = await makeWebhook(receiver.url);
  const { applicationId } = webhook;
  await pauseEndpoint(new Date(), webhook.target);
  const [held = ''] = await webhook.emit();
  const { deliveryId } = await sendTestEvent(new Date(), webhook.target);
  await arrived(applicationId);
  expect(await callRun(server.origin, applicationId)).toMatchObject({ body: { attempts: 1 } });
  const stateOf = async (id: string) => (await db().delivery.findUniqueOrThrow({ where: { id } })).state;
  expect([await stateOf(deliveryId), await stateOf(held)]).toEqual(['succeeded', 'pending']);
  const before = eventsOf(applicationId).length;
  await resumeEndpoint(new Date(), webhook.target);
  await arrived(applicationId, before + 1);
  expect(await callRun(server.origin, applicationId)).toMatchObject({ body: { attempts: 1 } });
  expect(await stateOf(held)).toBe('succeeded');
});

test('a run that fails is not retried by Inngest; the event is sent again', async () => {
  const { applicationId, emit } = await makeWebhook(receiver.url);
  await emit();
  await database.query('ALTER TABLE delivery_attempts RENAME TO delivery_attempts_away');
  try {
    expect((await callRun(server.origin, applicationId)).status).toBeGreaterThanOrEqual(400);
  } finally {
    await database.query('ALTER TABLE delivery_attempts_away RENAME TO delivery_attempts');
  }
  await arrived(applicationId, 2);
  expect(await callRun(server.origin, applicationId)).toMatchObject({ body: { attempts: 1 } });
});

const settings = () => inngestSettings(parseSettings(inngestEnv(inngest)));
const status = () => readInngest(new Date());
const healthy = (within = SEEN) => until(status, ({ registered }) => registered, within);

test.each([
  ['a wrong event key', () => inngest.accept('another-key'), () => inngest.accept(EVENT_KEY), 'events: HTTP 401'],
  ['an unavailable Inngest', () => inngest.answer(503), () => inngest.answer(200), 'HTTP 503'],
])(
  '%s is seen in Environment, metric, and doctor, and deliveries go on after it',
  async (_, begin, end, problem) => {
    await healthy();
    const metric = async () => (await readMetrics(server.origin)).get('partner_booking_inngest_registered');
    expect(await metric()).toBe(1);
    await expectFound(checkInngest(settings()), 'ok', 'has the functions and accepts events');
    begin();
    const found = await until(status, (one) => !one.registered, SEEN);
    expect(found.problem).toContain(problem);
    expect(await metric()).toBe(0);
    await expectFound(checkInngest(settings()), 'wrong', problem);
    const { applicationId, emit } = await makeWebhook(receiver.url);
    await emit();
    const { tenant } = await makeBusiness();
    const { email, password } = await makePerson(tenant.id);
    const cookie = await signInOverHttp(server.origin, email, password);
    const facts = await callProcedure('environment.get', { origin: server.origin, cookie, type: 'query' });
    expect(facts.data).toMatchObject({ inngest: { registered: false, problem: expect.stringContaining(problem) } });
    end();
    await arrived(applicationId, 1, HEALED);
    await healthy(HEALED);
    expect(server.errors()).not.toContain(EVENT_KEY);
    await callRun(server.origin, applicationId);
  },
  60_000,
);

test('an Inngest that lost its functions gets them again', async () => {
  await healthy();
  inngest.forget();
  await expectFound(checkInngest(settings()), 'wrong', 'not registered');
  await until(
    async () => inngest.functions(),
    (text) => text !== '[]',
    SEEN,
  );
  await expectFound(checkInngest(settings()), 'ok', 'has the functions');
});

test('a check counts for half a minute', async () => {
  await healthy();
  expect(await readInngest(new Date(Date.now() + 31_000))).toMatchObject({ registered: false, problem: null });
});
