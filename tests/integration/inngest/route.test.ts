import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  bearer,
  callRun,
  type FakeInngest,
  inngestEnv,
  SIGNING_KEY,
  signature,
  startFakeInngest,
} from '@/tests/support/inngest';
import { startServer, type TestServer } from '@/tests/support/server';
import { sharedServer } from '@/tests/support/shared';
import { until } from '@/tests/support/until';

const DELIVER = 'partner-booking-test-deliver-webhook';
/** The id of an application without deliveries. */
const NOBODY = 'app_nobody';
const OLD_KEY = `signkey-test-${'ab'.repeat(32)}`;
const STRANGER_KEY = 'cd'.repeat(32);

let inngest: FakeInngest;
let server: TestServer;

beforeAll(async () => {
  inngest = await startFakeInngest();
  server = await startServer({ env: { ...inngestEnv(inngest), INNGEST_SIGNING_KEY_FALLBACK: OLD_KEY } });
});

afterAll(async () => {
  await server.stop();
  await inngest.close();
});

const registered = () =>
  until(
    async () => inngest.registrations,
    (all) => all.length > 0,
  );

test('the server registers its functions when it starts', async () => {
  const [first] = await registered();
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
/** Timeout in milliseconds of a test that starts a server. */
const STARTS = 2 * MINUTE;
/** Maximum milliseconds between two attempts of the server to reach Inngest. */
const NEXT_TRY = 15_000;
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

test(
  'in dev mode no key is required, and the dev server gets the functions',
  async () => {
    const dev = await startFakeInngest();
    const started = await startServer({
      env: { INNGEST_DEV: dev.url, INNGEST_SERVE_ORIGIN: 'http://app.internal:3000' },
    });
    try {
      const [first] = await until(
        async () => dev.registrations,
        (all) => all.length > 0,
      );
      expect(first?.url).toBe('http://app.internal:3000/api/inngest');
      expect(await callRun(started.origin, NOBODY, () => null)).toMatchObject({ status: 200 });
      const introspection = await (await fetch(`${started.origin}/api/inngest`)).json();
      expect(introspection).toMatchObject({ mode: 'dev', function_count: 1, has_signing_key: false });
    } finally {
      await started.stop();
      await dev.close();
    }
  },
  STARTS,
);

test(
  'a server starts and serves while Inngest is unreachable, and registers once it is reachable',
  async () => {
    const away = await startFakeInngest();
    away.answer(503);
    const started = await startServer({ env: inngestEnv(away) });
    try {
      await until(
        async () => away.calls(),
        (calls) => calls >= 2,
        NEXT_TRY,
      );
      // On a busy machine, the health check can return 503 until the server knows that its cache is fresh.
      await until(
        async () => (await fetch(`${started.origin}/api/health`)).status,
        (code) => code === 200,
      );
      away.answer(200);
      await until(
        async () => away.registrations.length,
        (count) => count > 0,
        NEXT_TRY,
      );
      expect(started.errors()).toContain('Inngest does not work');
      expect(started.errors()).toContain('HTTP 503');
      expect(started.errors()).not.toContain(SIGNING_KEY.slice(13));
    } finally {
      await started.stop();
      await away.close();
    }
  },
  STARTS,
);
