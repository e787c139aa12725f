import type { NextRequest } from 'next/server';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { GET, POST } from '@/app/api/inngest/route';
import { register } from '@/inngest/serve';
import { checkInngest } from '@/lib/operations/doctor/network';
import { secretsFingerprint } from '@/lib/operations/environment/claim';
import { readInngest } from '@/lib/operations/inngest';
import { db } from '@/lib/platform/db';
import { inngestSettings, parseSettings } from '@/lib/platform/env';
import { resetSingleton } from '@/lib/platform/singleton';
import { pauseEndpoint, resumeEndpoint } from '@/lib/webhooks/endpoint';
import { sendTestEvent } from '@/lib/webhooks/test-event';
import { callProcedure, makePerson, openSessionOf } from '@/tests/support/control-center';
import { makeBusiness } from '@/tests/support/factories';
import { expectFound } from '@/tests/support/findings';
import {
  bearer,
  callRun,
  EVENT_KEY,
  type FakeInngest,
  inngestEnv,
  SIGNING_KEY,
  signature,
  startFakeInngest,
} from '@/tests/support/inngest';
import { METRICS_TOKEN, readMetrics } from '@/tests/support/metrics';
import { type OwnDatabase, ownDatabase } from '@/tests/support/own-database';
import { type Receiver, startReceiver } from '@/tests/support/receiver';
import { startServer, TEST_SECRET, type TestServer } from '@/tests/support/server';
import { sharedServer } from '@/tests/support/shared';
import { until } from '@/tests/support/until';
import { makeWebhook } from '@/tests/support/webhooks';

/** Milliseconds within which a fault of Inngest is seen, and within which deliveries go on after its end. */
const SEEN = 10_000;
const HEALED = 15_000;
/** Maximum milliseconds between two attempts of the server to reach Inngest. */
const NEXT_TRY = 15_000;

const DELIVER = 'partner-booking-test-deliver-webhook';
/** The id of an application without deliveries. */
const NOBODY = 'app_nobody';
const OLD_KEY = `signkey-test-${'ab'.repeat(32)}`;
const STRANGER_KEY = 'cd'.repeat(32);

let database: OwnDatabase;
let inngest: FakeInngest;
let server: TestServer;
let receiver: Receiver;

beforeAll(async () => {
  database = await ownDatabase();
  const fingerprint = secretsFingerprint({ environment: 'TEST', secretKey: TEST_SECRET });
  await db().environment.create({ data: { name: 'TEST', secretsFingerprint: fingerprint } });
  inngest = await startFakeInngest();
  inngest.answer(503);
  const env = { ...inngestEnv(inngest), INNGEST_SIGNING_KEY_FALLBACK: OLD_KEY, METRICS_TOKEN };
  server = await startServer({ databaseUrl: database.url, env });
});

afterAll(async () => {
  await server?.stop();
  await inngest.close();
  await database.drop();
});

test('a server starts and serves while Inngest is unreachable, and registers once it is reachable', async () => {
  await until(
    async () => inngest.calls(),
    (calls) => calls >= 2,
    NEXT_TRY,
  );
  // On a busy machine, the health check can return 503 until the server knows that its cache is fresh.
  await until(
    async () => (await fetch(`${server.origin}/api/health`)).status,
    (code) => code === 200,
  );
  inngest.answer(200);
  await until(
    async () => inngest.registrations.length,
    (count) => count > 0,
    NEXT_TRY,
  );
  expect(server.errors()).toContain('Inngest does not work');
  expect(server.errors()).toContain('HTTP 503');
  expect(server.errors()).not.toContain(SIGNING_KEY.slice(13));
});

test('the server registers its functions when it starts', async () => {
  const [first] = inngest.registrations;
  expect(first).toMatchObject({
    appName: 'partner-booking-test',
    url: `${server.origin}/api/inngest`,
    authorization: bearer(),
  });
  expect(first?.functions).toMatchObject([
    {
      id: DELIVER,
      triggers: [{ event: 'partner-booking.test/application.due' }],
      singleton: { key: 'event.data.application_id + "/" + event.data.running', mode: 'skip' },
      steps: {
        step: {
          retries: { attempts: 0 },
          runtime: { url: `${server.origin}/api/inngest?fnId=${DELIVER}&stepId=step` },
        },
      },
    },
  ]);
});

test('a signed request gets a signed response', async () => {
  const { status, headers, body } = await callRun(server.origin, NOBODY);
  expect({ status, body }).toEqual({ status: 200, body: { attempts: 0 } });
  expect(headers.get('cache-control')).toBe('no-store');
  const [, at = '', signed] = /^t=(\d+)&s=([0-9a-f]{64})$/.exec(headers.get('x-inngest-signature') ?? '') ?? [];
  expect(signed).toBeDefined();
  const expected = signature({ attempts: 0 }, { at: new Date(Number(at) * 1000) });
  expect(headers.get('x-inngest-signature')).toBe(expected);
});

test('a request signed with the fallback key is accepted', async () => {
  const sign = (body: Parameters<typeof signature>[0]) => signature(body, { key: OLD_KEY });
  expect(await callRun(server.origin, NOBODY, sign)).toMatchObject({ status: 200 });
});

const MINUTE = 60_000;
const REFUSED: [string, Parameters<typeof callRun>[2]][] = [
  ['no signature', () => null],
  ['an empty signature', () => ''],
  ['a signature of another key', (body) => signature(body, { key: STRANGER_KEY })],
  ['a signature of another body', () => signature({ event: 'other' })],
  ['a signature from ten minutes ago', (body) => signature(body, { at: new Date(Date.now() - 10 * MINUTE) })],
  ['a signature from ten minutes in the future', (body) => signature(body, { at: new Date(Date.now() + 10 * MINUTE) })],
  ['a signature without its time', (body) => signature(body).replace(/^t=\d+&/, '')],
];

test.each(REFUSED)('a request with %s is refused', async (_, sign) => {
  const { status, headers, body } = await callRun(server.origin, NOBODY, sign);
  expect({ status, body }).toEqual({ status: 401, body: { message: 'Unauthorized' } });
  expect([...headers.keys()].filter((name) => /^x-inngest-(?!sdk-handled)/.test(name))).toEqual([]);
});

test('refused requests write at most one warning a minute, and no error', async () => {
  await callRun(server.origin, NOBODY, () => null);
  await fetch(`${server.origin}/api/inngest`);
  const lines = await until(
    async () =>
      server
        .errors()
        .split('\n')
        .filter((line) => /signature/i.test(line)),
    ({ length }) => length > 0,
  );
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain('"level":40');
});

test.each(['GET', 'PUT'])('an unsigned %s is refused', async (method) => {
  const response = await fetch(`${server.origin}/api/inngest`, { method });
  expect(response.status).toBe(401);
  expect(await response.json()).toEqual({ message: 'Unauthorized' });
});

test('Inngest can introspect and request a registration; a forged Host has no effect', async () => {
  const headers = { 'X-Inngest-Signature': signature(''), 'X-Forwarded-Host': 'elsewhere.example' };
  const introspection = await fetch(`${server.origin}/api/inngest`, { headers });
  expect(introspection.status).toBe(200);
  expect(await introspection.json()).toMatchObject({
    mode: 'cloud',
    function_count: 1,
    authentication_succeeded: true,
  });
  const registration = await fetch(`${server.origin.replace('localhost', '127.0.0.1')}/api/inngest`, {
    method: 'PUT',
    headers,
  });
  expect(registration.status).toBe(200);
  const urls = new Set(inngest.registrations.map(({ url }) => url));
  expect([...urls]).toEqual([`${server.origin}/api/inngest`]);
});

test('an unknown function and malformed JSON are errors that reveal no file paths', async () => {
  const unknown = await callRun(server.origin, NOBODY, signature, 'partner-booking-test-nothing');
  expect(unknown.status).toBe(500);
  const broken = await fetch(`${server.origin}/api/inngest?fnId=${DELIVER}&stepId=step`, { method: 'POST', body: '{' });
  expect(broken.status).toBeGreaterThanOrEqual(400);
  expect(await broken.text()).not.toContain('/');
});

test('the route does not exist while another scheduler is in use', async () => {
  for (const method of ['GET', 'PUT', 'POST']) {
    const response = await fetch(`${sharedServer().origin}/api/inngest?fnId=${DELIVER}&stepId=step`, { method });
    expect(response.status).toBe(404);
    expect(await response.text()).toBe('');
  }
});

test('in dev mode no key is required, and the dev server gets the functions', async () => {
  const dev = await startFakeInngest();
  Object.assign(process.env, { INNGEST_DEV: dev.url, INNGEST_SERVE_ORIGIN: 'http://app.internal:3000' });
  resetSingleton('env');
  try {
    expect(await register(new AbortController().signal)).toBeNull();
    expect(dev.registrations.map(({ url }) => url)).toEqual(['http://app.internal:3000/api/inngest']);
    const send = (url: string, init: RequestInit) => POST(new Request(url, init) as NextRequest);
    expect(await callRun(server.origin, NOBODY, () => null, DELIVER, send)).toMatchObject({ status: 200 });
    const introspection = await GET(new Request(`${server.origin}/api/inngest`) as NextRequest);
    expect(await introspection.json()).toMatchObject({ mode: 'dev', function_count: 1, has_signing_key: false });
  } finally {
    for (const name of ['INNGEST_DEV', 'INNGEST_SERVE_ORIGIN']) delete process.env[name];
    resetSingleton('env');
    await dev.close();
  }
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
    const cookie = await openSessionOf(await makePerson(tenant.id));
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

test('during a rotation of the signing key, doctor asks with the previous key as well', async () => {
  await healthy();
  inngest.know(OLD_KEY);
  await expectFound(checkInngest(settings()), 'wrong', 'functions: HTTP 401');
  await expectFound(checkInngest({ ...settings(), signingKeyFallback: OLD_KEY }), 'ok', 'has the functions');
  inngest.know(SIGNING_KEY);
});

test('a check counts for half a minute', async () => {
  await healthy();
  expect(await readInngest(new Date(Date.now() + 31_000))).toMatchObject({ registered: false, problem: null });
});
