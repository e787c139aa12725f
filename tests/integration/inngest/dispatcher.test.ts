import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { secretsFingerprint } from '@/lib/operations/environment/claim';
import { readRegistration } from '@/lib/operations/inngest-registration';
import { db } from '@/lib/platform/db';
import { pauseEndpoint, resumeEndpoint } from '@/lib/webhooks/endpoint';
import { sendTestEvent } from '@/lib/webhooks/test-event';
import { callProcedure, makePerson, signInOverHttp } from '@/tests/support/control-center';
import { makeBusiness } from '@/tests/support/factories';
import { EVENT_KEY, type FakeInngest, inngestEnv, type SentEvent, startFakeInngest } from '@/tests/support/inngest';
import { METRICS_TOKEN, readMetrics } from '@/tests/support/metrics';
import { type OwnDatabase, ownDatabase } from '@/tests/support/own-database';
import { startServer, TEST_SECRET, type TestServer } from '@/tests/support/server';
import { until } from '@/tests/support/until';
import { makeWebhook } from '@/tests/support/webhooks';

const UNREACHABLE = 'http://127.0.0.1:40009/hooks';

let database: OwnDatabase;
let inngest: FakeInngest;
let server: TestServer;

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

beforeEach(() => {
  inngest.answer(200);
});

const eventsOf = (id: string) => inngest.events.filter((one) => one.data.delivery_id === id);
const arrived = (id: string) =>
  until(
    async () => eventsOf(id),
    (events) => events.length > 0,
  );

test('dispatches a delivery once, within a second of its commit, without data of its event', async () => {
  const webhook = await makeWebhook(UNREACHABLE);
  const events: SentEvent[] = [];
  const took: number[] = [];
  // Measures several dispatches and uses the shortest time, because other tests may delay a dispatch.
  for (let count = 0; count < 3 || (count < 12 && Math.min(...took) >= 1_000); count += 1) {
    const [id = ''] = await webhook.emit();
    const startedAt = performance.now();
    events.push(...(await arrived(id)));
    took.push(performance.now() - startedAt);
  }
  expect(Math.min(...took)).toBeLessThan(1_000);
  expect(events).toHaveLength(took.length);
  for (const [index, delivery] of (await webhook.deliveries()).entries()) {
    const { id, handedAt } = delivery;
    expect(events[index]).toMatchObject({
      id: `${id}.${handedAt?.getTime()}`,
      name: 'partner-booking.test/delivery.due',
      data: { delivery_id: id, application_id: webhook.applicationId, handed_at: handedAt?.toISOString() },
    });
    expect(Object.keys(events[index]?.data ?? {})).toHaveLength(3);
  }
  expect(inngest.paths.at(-1)).toBe(`/e/${EVENT_KEY}`);
  // The embedded worker makes no attempts if the deployment uses Inngest.
  expect(await db().deliveryAttempt.count()).toBe(0);
});

test('the registration is recorded; metrics and the Environment page show it', async () => {
  const name = 'partner_booking_inngest_registered';
  await until(
    async () => (await readMetrics(server.origin)).get(name),
    (value) => value === 1,
  );
  expect(await readRegistration(new Date())).toMatchObject({ registered: true, problem: null });
  await database.query(`UPDATE environment SET inngest_problem = 'HTTP 401'`);
  expect((await readMetrics(server.origin)).get(name)).toBe(0);
  const { tenant } = await makeBusiness();
  const { email, password } = await makePerson(tenant.id);
  const cookie = await signInOverHttp(server.origin, email, password);
  const facts = await callProcedure('environment.get', { origin: server.origin, cookie, type: 'query' });
  expect(facts.data).toMatchObject({
    inngest: { registered: false, problem: 'HTTP 401' },
    delivery_lag_seconds: expect.any(Number),
  });
});

test('undoes a dispatch that Inngest rejects, and dispatches again later', async () => {
  inngest.answer(500);
  const calls = inngest.calls();
  const webhook = await makeWebhook(UNREACHABLE);
  const [id = ''] = await webhook.emit();
  await until(
    async () => inngest.calls() - calls,
    (count) => count >= 5,
  );
  await until(webhook.deliveries, ([delivery]) => delivery?.handedAt === null);
  expect(eventsOf(id)).toEqual([]);
  inngest.answer(200);
  expect(await arrived(id)).toHaveLength(1);
  await until(
    async () => server.errors(),
    (text) => text.includes('due deliveries could not be dispatched to Inngest'),
  );
  expect(server.errors()).not.toContain(EVENT_KEY);
});

test('dispatches held deliveries only after their endpoint is resumed, but test events at once', async () => {
  const webhook = await makeWebhook(UNREACHABLE);
  await pauseEndpoint(new Date(), webhook.target);
  const [held = ''] = await webhook.emit();
  const { deliveryId } = await sendTestEvent(new Date(), webhook.target);
  expect(await arrived(deliveryId)).toHaveLength(1);
  expect(eventsOf(held)).toEqual([]);
  expect(await db().delivery.findUniqueOrThrow({ where: { id: held } })).toMatchObject({ handedAt: null });
  await resumeEndpoint(new Date(), webhook.target);
  expect(await arrived(held)).toHaveLength(1);
});

test('dispatches more deliveries than fit in one call, each once', async () => {
  const webhook = await makeWebhook(UNREACHABLE);
  const ids = await webhook.emit(1_200);
  await until(
    async () => inngest.events.filter(({ data }) => data.application_id === webhook.applicationId),
    (events) => events.length >= 1_200,
  );
  expect(ids.map((id) => eventsOf(id).length).every((count) => count === 1)).toBe(true);
});
