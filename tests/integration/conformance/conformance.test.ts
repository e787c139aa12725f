import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { certificateSigner, openCertificate } from '@/lib/booking/readiness/certificate';
import { BOOKING_EVENT_TYPES, THIN_EVENT_TYPES } from '@/lib/contract/events';
import { ALL_OPERATIONS } from '@/lib/contract/operations';
import { db } from '@/lib/platform/db';
import { readDocument } from '@/scripts/conformance/document';
import { hostile } from '@/scripts/conformance/hostile';
import { readOptions } from '@/scripts/conformance/options';
import { Report } from '@/scripts/conformance/report';
import { makeBusiness } from '@/tests/support/factories';
import { sharedServer } from '@/tests/support/shared';
import { repeats } from '@/tests/support/soak';
import { until } from '@/tests/support/until';
import { addEndpoint } from '@/tests/support/webhooks';
import { conformance } from './run';
import { type Response, type Sabotage, saboteur, startBroken } from './saboteur';

const TIMEOUT = 300_000;

/** An application whose endpoint receives every type of event, at a free port. */
async function makeListening() {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  const { tenant, applicationId, key } = await makeBusiness();
  const types = [...BOOKING_EVENT_TYPES, ...THIN_EVENT_TYPES];
  await addEndpoint(tenant.id, applicationId, `http://127.0.0.1:${port}/hooks`, new Date(), types);
  return { port, key, applicationId };
}

let listening: Awaited<ReturnType<typeof makeListening>>;
// Its first thin event comes after ten seconds, meanwhile other tests run.
beforeAll(async () => {
  listening = await makeListening();
});

// Runs of the suite mostly wait, up to 20 seconds for a response, so they run concurrently.
test.concurrent(
  'the server passes every check, within half of a minute’s quota and 10 bad keys',
  async () => {
    const { key } = await makeBusiness();
    const args = ['--base-url', sharedServer().origin, '--key', key];
    const { code, output, result } = await conformance(args, 'npm command');
    expect(result?.checks.filter(({ passed }) => !passed)).toEqual([]);
    expect(result?.skipped).toEqual([
      'Retries of a webhook: it needs --listen PORT, and an endpoint of the application with this port',
      'Thin events: it needs an endpoint of the application for which the owner has selected availability.changed, and its first event',
      'Every response: [A] Retry-After with 429 and 503: no response had either status',
    ]);
    expect(code).toBe(0);
    const every = result?.checks.filter(({ scenario }) => scenario === 'Every response') ?? [];
    expect(every.map(({ title }) => title)).toContain('Content-Type: application/json; charset=utf-8');
    expect(output.trim().split('\n').at(-1)).toMatch(/^\d+ calls, \d+ with a bad key$/);
    // The suite’s own requests are no evidence. The server has seen those with the key that it could authenticate.
    expect(output).toContain('Readiness of Partner, from requests of its own code: 0 of 5');
    const { calls = 0, bad_keys = 0, passed } = result ?? {};
    expect(result?.readiness).toMatchObject({ met: 0, conformance: { passed, failed: 0, skipped: 3 } });
    expect(result?.readiness?.conformance?.seen).toBeGreaterThan((calls - bad_keys) * 0.95);
    expect(result?.passed).toBeGreaterThan(80);
    // The quota is 600 (contract B9), so that two runs within a minute pass.
    expect(result?.calls).toBeLessThan(300);
    expect(result?.bad_keys).toBeLessThanOrEqual(10);
    expect(result?.checks.every(({ section }) => /^(A|B\d+)$/.test(section))).toBe(true);
    expect(output).toContain('[B8] an identical request gets a replay');
    expect(output).not.toContain(key);
  },
  TIMEOUT,
);

test.concurrent(
  'with --listen, it takes a delivery to attempt 7 with the clock, checks thin events, and writes the certificate',
  async () => {
    const { port, key, applicationId } = listening;
    await until(
      () => db().event.count({ where: { applicationId, type: 'availability.changed' } }),
      (count) => count > 0,
      20_000,
    );
    const directory = await mkdtemp(join(tmpdir(), 'certificate-'));
    const file = join(directory, 'readiness.jws');
    const args = ['--base-url', sharedServer().origin, '--key', key];
    const { code, result } = await conformance([...args, '--listen', String(port), '--certificate', file]);
    expect(result?.checks.filter(({ passed }) => !passed)).toEqual([]);
    expect(code).toBe(0);
    const made = (name: string) => result?.checks.filter(({ scenario }) => scenario === name).length;
    expect([made('Retries of a webhook'), made('Thin events')]).toEqual([4, 6]);
    expect(result?.calls).toBeLessThan(300);
    const certificate = openCertificate(await readFile(file, 'utf8'), new Date(), [certificateSigner().publicKey]);
    expect(certificate).toEqual(result?.readiness);
    await rm(directory, { recursive: true });
  },
  TIMEOUT,
);

test.concurrent(
  'with --hostile, it sends at least 5,000 malformed requests and finds no 5xx and no echo',
  async () => {
    const { key } = await makeBusiness();
    const { code, output, result } = await conformance([
      '--base-url',
      sharedServer().origin,
      '--key',
      key,
      '--hostile',
    ]);
    expect(result?.checks.filter(({ passed }) => !passed)).toEqual([]);
    expect(code).toBe(0);
    expect(result?.hostile?.malformed).toBeGreaterThanOrEqual(5_000);
    expect(result?.hostile?.requests).toBeGreaterThan(result?.hostile?.malformed ?? 0);
    expect(Object.keys(result?.hostile?.by_operation ?? {}).sort()).toEqual(ALL_OPERATIONS.map(({ id }) => id).sort());
    for (const statuses of Object.values(result?.hostile?.by_operation ?? {})) {
      expect(Object.keys(statuses).filter((status) => Number(status) >= 500 || status === '0')).toEqual([]);
    }
    expect(output).toMatch(/… 5000 sent/);
  },
  TIMEOUT,
);

const BROKEN: [string, string, Sabotage][] = [
  [
    'responses without a request id',
    'X-Request-Id',
    (answer) => {
      const { 'x-request-id': _, ...headers } = answer.headers;
      return { ...answer, headers };
    },
  ],
  [
    'a refusal that echoes the request',
    'contains no submitted value',
    (answer, { body }) =>
      answer.status === 400
        ? {
            ...answer,
            body: answer.body.replace('"message":"', () => `"message":${JSON.stringify(body).slice(0, -1)} `),
          }
        : answer,
  ],
  [
    'a replay without Idempotent-Replayed',
    'an identical request gets a replay',
    (answer) => {
      const { 'idempotent-replayed': _, ...headers } = answer.headers;
      return { ...answer, headers };
    },
  ],
  [
    'a version conflict with a success status',
    'booking_version_conflict',
    (answer) =>
      answer.body.includes('booking_version_conflict') ? { ...answer, status: 200, body: '{"data":{}}' } : answer,
  ],
  [
    'a server error instead of a 404',
    'unknown route',
    (answer) => (answer.status === 404 ? { ...answer, status: 500 } : answer),
  ],
  [
    'responses without the charset UTF-8',
    'Content-Type: application/json; charset=utf-8',
    (answer) => ({ ...answer, headers: { ...answer.headers, 'content-type': 'application/json' } }),
  ],
  [
    'a request without a response',
    'DELETE /catalog gets a 405 with Allow',
    (answer, { method }) => (method === 'DELETE' ? new Promise<Response>(() => undefined) : answer),
  ],
];

// `npm test` runs the suite only against a server with all faults, because each run takes seconds.
const SERVERS = [BROKEN, ...BROKEN.map((one) => [one])].slice(0, repeats(1, 1 + BROKEN.length));

for (const faults of SERVERS) {
  test.concurrent(
    `it finds ${faults.map(([what]) => what).join(', ')}`,
    async () => {
      const { key } = await makeBusiness();
      const stub = await saboteur(sharedServer().origin, async (answer, request) => {
        let broken = answer;
        for (const [, , sabotage] of faults) broken = await sabotage(broken, request);
        return broken;
      });
      const { code, result } = await conformance(['--base-url', stub.origin, '--key', key]);
      await stub.stop();
      expect(code).toBe(1);
      const failed = result?.checks.filter(({ passed }) => !passed).map((one) => one.title) ?? [];
      for (const [, title] of faults)
        expect(
          failed.some((one) => one.includes(title)),
          `${title}\n${failed.join('\n')}`,
        ).toBe(true);
    },
    TIMEOUT,
  );
}

test(
  'with --hostile, it finds a server error and an echo',
  async () => {
    const { origin } = sharedServer();
    const broken = await startBroken();
    // Sends only the hostile requests, and sends them directly to a stub. The proxy `saboteur` would need many seconds
    // for these thousands of requests.
    const args = ['--base-url', broken.origin, '--key', `pbk_test_${'0'.repeat(38)}`];
    const report = new Report(() => undefined);
    const operations = await readDocument(`${origin}/docs/openapi.json`);
    const counts = await hostile(operations, readOptions(args), report);
    await broken.stop();
    const result = report.finish(0, 0, counts);
    expect(counts.malformed).toBeGreaterThanOrEqual(5_000);
    expect(result.failed).toBeGreaterThan(0);
    const failed = result.checks.filter(({ passed }) => !passed).map(({ title }) => title);
    expect(failed).toEqual(expect.arrayContaining(['no response is a 5xx', 'no response contains a submitted value']));
  },
  TIMEOUT,
);

test('a key of LIVE is refused before any request, and is not printed', async () => {
  const requested: string[] = [];
  const stub = await saboteur(sharedServer().origin, (answer, { url }) => {
    requested.push(url);
    return answer;
  });
  const key = `pbk_live_${'0'.repeat(38)}`;
  const { code, output, result } = await conformance(['--base-url', stub.origin, '--key', key]);
  await stub.stop();
  expect([code, requested, result]).toEqual([2, [], null]);
  expect(output).toContain('only TEST keys');
  expect(output).not.toContain(key);
});

test('a run with invalid options ends with a reason', async () => {
  const { origin } = sharedServer();
  const key = `pbk_test_${'0'.repeat(38)}`;
  const cases: [string[], string][] = [
    [['--key', key], '--base-url and --key are required'],
    [['--base-url', 'localhost:5500', '--key', key], '--base-url must start with http:// or https://'],
    [['--base-url', 'http://', '--key', key], '--base-url must be a URL'],
    [['--base-url', origin, '--kee', key], 'Unknown arguments'],
    [['--base-url', origin, '--key', key, '--listen', '0'], '--listen must be a port'],
    [['--base-url', origin, '--key', key], 'The server does not accept the key'],
    [['--base-url', 'http://127.0.0.1:1', '--key', key], 'The server at --base-url does not respond'],
  ];
  for (const [args, words] of cases) {
    const { code, output } = await conformance(args);
    expect([code, output.includes(words), output.includes(key)]).toEqual([2, true, false]);
  }
});

test('--help prints the usage and ends with exit code 0', async () => {
  const { code, output, result } = await conformance(['--help']);
  expect([code, result]).toEqual([0, null]);
  expect(output).toMatch(/^Usage: node conformance\.mjs --base-url /);
});

test('the suite imports only the contract from lib', () => {
  const root = fileURLToPath(new URL('../../../scripts', import.meta.url));
  const files = readdirSync(join(root, 'conformance'), { recursive: true, encoding: 'utf8' });
  const sources = [
    'conformance.ts',
    ...files.filter((file) => file.endsWith('.ts')).map((file) => `conformance/${file}`),
  ];
  const imports = sources.flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/from '(@\/[^']*)'/g)].map(([, name]) => name),
  );
  expect(imports.length).toBeGreaterThan(5);
  expect(imports.filter((name) => !name?.startsWith('@/lib/contract/'))).toEqual([]);
});
