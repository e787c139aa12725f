import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { certificateSigner, openCertificate } from '@/lib/booking/readiness/certificate';
import { NotFoundError, partnerClient } from '@/lib/contract/client';
import { BOOKING_EVENT_TYPES, THIN_EVENT_TYPES } from '@/lib/contract/events';
import { ALL_OPERATIONS, BASE_PATH } from '@/lib/contract/operations';
import { TENANT } from '@/lib/operations/sandbox/seed/business';
import { seedSandbox } from '@/lib/operations/sandbox/seed/sandbox';
import { db } from '@/lib/platform/db';
import { readOptions, UsageError } from '@/scripts/conformance/options';
import { type Extent, runSuite } from '@/scripts/conformance/run';
import { independentSlots } from '@/scripts/conformance/world';
import { makeBusiness } from '@/tests/support/factories';
import { freePort } from '@/tests/support/free-port';
import { type OwnDatabase, ownDatabase } from '@/tests/support/own-database';
import { startServer, type TestServer } from '@/tests/support/server';
import { repeats, SOAK } from '@/tests/support/soak';
import { until } from '@/tests/support/until';
import { addEndpoint } from '@/tests/support/webhooks';
import { type Command, conformance } from './run';
import { type Leniency, type Request, type Response, type Sabotage, saboteur, startBroken } from './saboteur';

const TIMEOUT = 300_000;
const UNKNOWN_KEY = `pbk_test_${'0'.repeat(38)}`;

let database: OwnDatabase;
let server: TestServer;
let port: number;
let applications: { id: string; name: string; api_key: string }[];

beforeAll(async () => {
  database = await ownDatabase();
  const made = await seedSandbox(db(), new Date());
  if (!made) throw new Error('The database was not empty.');
  applications = made.applications;
  server = await startServer({ databaseUrl: database.url, env: { WEBHOOKS_ALLOW_LOOPBACK: '1' } });
  // The first request loads code and caches, which on a busy machine takes longer than `NO_RESPONSE`.
  await clientOf('Second partner').listCatalog();
  port = await freePort();
  const types = [...BOOKING_EVENT_TYPES, ...THIN_EVENT_TYPES];
  // Its first thin event comes after ten seconds, meanwhile other tests run.
  await addEndpoint(
    TENANT.id,
    applicationOf('Full-access partner').id,
    `http://127.0.0.1:${port}/hooks`,
    new Date(),
    types,
  );
});

afterAll(async () => {
  await server.stop();
  await database.drop();
});

function applicationOf(name: string) {
  const found = applications.find((one) => one.name === name);
  if (!found) throw new Error(`The sandbox has no ${name}.`);
  return found;
}

const clientOf = (name: string) =>
  partnerClient({ baseUrl: server.origin + BASE_PATH, apiKey: applicationOf(name).api_key });

/** Runs the suite in this process. */
async function runHere(args: string[], extent: Extent = {}) {
  const lines: string[] = [];
  const result = await runSuite(readOptions(args), (line) => lines.push(line), extent);
  return { result, output: lines.join('\n') };
}

const titles = ({ checks }: { checks: { title: string; passed: boolean }[] }) =>
  checks.filter(({ passed }) => !passed).map(({ title }) => title);

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

/** Milliseconds, instead of the 20 seconds of the suite. */
const NO_RESPONSE = 6_000;

/** Removes a duplicate field from a JSON body, so that only its last value remains. Some parsers do the same. */
function withoutDuplicates({ headers, body }: Request): Request {
  if ((body.match(/"date":/g) ?? []).length < 2) return { headers, body };
  return { headers, body: JSON.stringify(JSON.parse(body)) };
}

const LENIENT: [string, Leniency][] = [
  ['malformed JSON', ({ headers, body }) => ({ headers, body: body.replace(/,}$/, '}') })],
  ['a duplicate key', withoutDuplicates],
  [
    'another content type',
    ({ headers, body }) => ({
      headers: headers['content-type'] === 'text/plain' ? { ...headers, 'content-type': 'application/json' } : headers,
      body,
    }),
  ],
  ['a body of more than 16 KiB', ({ headers, body }) => ({ headers, body: body.trim() })],
];

/** All at once, and in the soak also one by one. */
const served = <T>(faults: T[]) => [faults, ...faults.map((one) => [one])].slice(0, repeats(1, 1 + faults.length));

test.each(served(BROKEN))(
  'it finds the faults of a broken server %#',
  async (...faults) => {
    const { key } = await makeBusiness();
    const stub = await saboteur(server.origin, async (answer, request) => {
      let broken = answer;
      for (const [, , sabotage] of faults) broken = await sabotage(broken, request);
      return broken;
    });
    const { result } = await runHere(['--base-url', stub.origin, '--key', key], {
      scenarios: ['Routing', 'Refusing an invalid booking', 'Idempotency', 'Changing a booking'],
      timeout: NO_RESPONSE,
    });
    await stub.stop();
    const failed = titles(result);
    for (const [what, title] of faults)
      expect(
        failed.some((one) => one.includes(title)),
        `${what}: ${title}\n${failed.join('\n')}`,
      ).toBe(true);
  },
  TIMEOUT,
);

test.each(served(LENIENT))(
  'it finds that a server accepts what the contract refuses, and no other problem with its refusals %#',
  async (...faults) => {
    const { key } = await makeBusiness();
    const lenient: Leniency = (request) => faults.reduce((sent, [, change]) => change(sent), request);
    const stub = await saboteur(server.origin, (answer) => answer, lenient);
    const scenarios = ['Refusing an invalid booking'];
    const { result } = await runHere(['--base-url', stub.origin, '--key', key], { scenarios });
    await stub.stop();
    expect(titles(result).sort()).toEqual(faults.map(([what]) => `${what} gets a 400`).sort());
    expect(result.checks.filter(({ passed }) => !passed).map(({ section }) => section)).toEqual(faults.map(() => 'B3'));
  },
  TIMEOUT,
);

test('an aborted scenario reports the title and the section of the failed step', async () => {
  const { key } = await makeBusiness();
  const stub = await saboteur(server.origin, (answer) =>
    answer.status === 201 ? { ...answer, body: answer.body.replace('"version":1', '"version":"1"') } : answer,
  );
  const scenarios = ['Creating a booking', 'Changing a booking', 'Retries of a webhook', 'Thin events'];
  const { result, output } = await runHere(['--base-url', stub.origin, '--key', key], { scenarios });
  await stub.stop();
  const failed = result.checks.filter(({ title }) => title === 'an available slot can be booked');
  expect(failed.map(({ section, passed }) => [section, passed])).toEqual(Array(2).fill(['B7', false]));
  expect(output).toContain('data does not match the contract: booking.version');
  expect(output).not.toMatch(/assert\.|=>/);
  expect(result.skipped).toEqual([
    'Retries of a webhook: it needs --listen PORT, and an endpoint of the application with this port',
    'Thin events: it needs an endpoint of the application for which the owner has selected availability.changed, and its first event',
    'Every response: [A] Retry-After with 429 and 503: no response had either status',
  ]);
});

/** `npm test` sends thousands of requests less. The first has a query, the second a path, and the third a body. */
const SMOKE = ['listCatalog', 'readBooking', 'cancelBooking'];
const HOSTILE = ALL_OPERATIONS.filter(({ id }) => SOAK || SMOKE.includes(id));

/** Runs only the hostile requests, to the operations in `HOSTILE`. */
async function runHostile(origin: string, key: string, malformed: number) {
  const stub = await saboteur(server.origin, (answer) => {
    const document = JSON.parse(answer.body) as { paths: object };
    const some = Object.entries(document.paths).filter(([name]) => HOSTILE.some(({ path }) => path === name));
    return { ...answer, body: JSON.stringify({ ...document, paths: Object.fromEntries(some) }) };
  });
  const args = ['--base-url', origin, '--key', key, '--hostile', '--openapi', `${stub.origin}/docs/openapi.json`];
  const { result } = await runHere(args, { scenarios: [], malformed });
  await stub.stop();
  return result;
}

test(
  'with --hostile, it sends malformed requests to every operation of the document, and finds no 5xx and no echo',
  async () => {
    const { key } = await makeBusiness();
    const least = repeats(100, 5_000);
    const result = await runHostile(server.origin, key, least);
    expect(titles(result)).toEqual([]);
    expect(result.hostile?.malformed).toBeGreaterThanOrEqual(least);
    expect(result.hostile?.requests).toBeGreaterThan(result.hostile?.malformed ?? 0);
    expect(Object.keys(result.hostile?.by_operation ?? {}).sort()).toEqual(HOSTILE.map(({ id }) => id).sort());
    for (const statuses of Object.values(result.hostile?.by_operation ?? {})) {
      expect(Object.keys(statuses).filter((status) => Number(status) >= 500 || status === '0')).toEqual([]);
    }
  },
  TIMEOUT,
);

test(
  'with --hostile, it finds a server error and an echo',
  async () => {
    const broken = await startBroken(true);
    const result = await runHostile(broken.origin, UNKNOWN_KEY, 1);
    await broken.stop();
    expect(titles(result)).toEqual(
      expect.arrayContaining(['no response is a 5xx', 'no response contains a submitted value']),
    );
  },
  TIMEOUT,
);

test('a run that cannot give a result ends before any booking, with a reason and without the key', async () => {
  const { origin } = server;
  const reader = await makeBusiness({ scopes: ['catalog.read', 'availability.read'] });
  const full = await makeBusiness();
  const page = await saboteur(origin, (answer) => ({ ...answer, body: '<p>Hello</p>' }));
  const live = UNKNOWN_KEY.replace('test', 'live');
  const cases: [string[], string][] = [
    [['--key', UNKNOWN_KEY], '--base-url and --key are required'],
    [['--base-url', 'localhost:5500', '--key', UNKNOWN_KEY], '--base-url must start with http:// or https://'],
    [['--base-url', 'http://', '--key', UNKNOWN_KEY], '--base-url must be a URL'],
    [['--base-url', origin, '--kee', UNKNOWN_KEY], 'Unknown arguments'],
    [['--base-url', origin, '--key', UNKNOWN_KEY, '--listen', '0'], '--listen must be a port'],
    [['--base-url', 'http://127.0.0.1:1', '--key', live], 'only TEST keys'],
    [['--base-url', origin, '--key', UNKNOWN_KEY], 'The server does not accept the key'],
    [['--base-url', 'http://127.0.0.1:1', '--key', UNKNOWN_KEY], 'The server at --base-url does not respond'],
    [['--base-url', origin, '--key', reader.key], 'scopes that the key lacks: booking.create, booking.manage.'],
    [['--base-url', page.origin, '--key', full.key], 'is not a catalog'],
    [
      ['--base-url', origin, '--key', full.key, '--hostile', '--openapi', `${origin}/nothing.json`],
      `There is no OpenAPI document at ${origin}/nothing.json. Set its URL with --openapi.`,
    ],
  ];
  for (const [args, words] of cases) {
    const error = await runHere(args).catch((one: unknown) => one);
    expect(error).toBeInstanceOf(UsageError);
    expect((error as UsageError).message).toContain(words);
    expect((error as UsageError).message).not.toMatch(/pbk_\w+_0/);
  }
  await page.stop();
  expect(await db().booking.count({ where: { tenantId: full.tenant.id } })).toBe(0);
});

test('the exit code tells help, a failed check, and a run without a result apart', async () => {
  const empty = await startBroken(false);
  const cases: [Command, string[], number, RegExp][] = [
    ['npm run conformance', ['--help'], 0, /^Usage: node conformance\.mjs --base-url /],
    ['published file', ['--kee', UNKNOWN_KEY], 2, /^Unknown arguments/],
    ['published file', ['--base-url', empty.origin, '--key', UNKNOWN_KEY], 1, /\d+ failed/],
  ];
  for (const [command, args, expected, words] of cases) {
    const { code, output } = await conformance(server.origin, args, command);
    expect([code, output]).toEqual([expected, expect.stringMatching(words)]);
    expect(output).not.toContain(UNKNOWN_KEY);
  }
  await empty.stop();
});

test('the second partner of a sandbox has all scopes too, and no access to the bookings of the first', async () => {
  const [first, second] = [clientOf('Full-access partner'), clientOf('Second partner')];
  const { services } = await first.listCatalog();
  const service = services.find(({ min_lead_minutes: lead, max_advance_days: days }) => lead < 1440 && days > 12);
  const [location_id = ''] = service?.location_ids ?? [];
  const day = (ahead: number) => new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10);
  const query = { service_id: service?.id ?? '', location_id };
  const { slots } = await second.listAvailability({ ...query, date: day(2), date_to: day(12) });
  const { date = '', start_time = '' } = slots[0] ?? {};
  const customer = { name: 'Robin Sample', phone: '+49 30 5550 1234', consent_to_contact: true as const };
  const body = { ...query, date, start_time, external_reference: 'example-4711', customer };
  const created = await first.createBooking(body, randomUUID());
  const { reference } = created.booking;
  expect((await first.readBooking(reference)).booking).toEqual(created.booking);
  await expect(second.readBooking(reference)).rejects.toBeInstanceOf(NotFoundError);
  expect((await second.listBookings({ external_reference: 'example-4711' })).bookings).toEqual([]);
});

// Last: the server then refuses failed authentications from this address.
test(
  'a sandbox passes every check, with few calls, also of webhooks and thin events, and gives the certificate',
  async () => {
    const { api_key: key, id: applicationId } = applicationOf('Full-access partner');
    await until(
      () => db().event.count({ where: { applicationId, type: 'availability.changed' } }),
      (count) => count > 0,
      20_000,
    );
    const directory = await mkdtemp(join(tmpdir(), 'certificate-'));
    const file = join(directory, 'readiness.jws');
    const args = ['--base-url', server.origin, '--key', key, '--listen', String(port), '--certificate', file];
    // Twice in a row in the soak: the first run leaves nothing that the second one meets.
    for (const more of [...(SOAK ? [[]] : []), ['--failures']]) {
      const { code, output, result } = await conformance(server.origin, [...args, ...more]);
      if (!result) throw new Error(output);
      expect(titles(result)).toEqual([]);
      expect(code).toBe(0);
      const of = (name: string) => result.checks.filter(({ scenario }) => scenario === name);
      expect([of('Retries of a webhook').length, of('Thin events').length]).toEqual([4, 6]);
      expect(of('Failed authentications').map(({ title }) => title.includes('failed_authentication'))).toEqual(
        more.length > 0 ? [true, false] : [],
      );
      expect(of('Every response').map(({ title }) => title)).toContain('Content-Type: application/json; charset=utf-8');
      expect(output.trim().split('\n').at(-1)).toMatch(/^\d+ calls, \d+ with a bad key$/);
      const { calls, bad_keys, passed, skipped } = result;
      // The suite’s own requests are no evidence. The server has seen those with the key that it could authenticate.
      expect(output).toContain('Readiness of Full-access partner, from requests of its own code: 0 of 5');
      const reported = { passed, failed: 0, skipped: skipped.length };
      expect(result.readiness).toMatchObject({ met: 0, conformance: reported });
      expect(result.readiness?.conformance?.seen).toBeGreaterThan((calls - bad_keys) * 0.95);
      expect(passed).toBeGreaterThan(80);
      // The quota is 600 (contract B9), so that two runs within a minute pass. `--failures` has 31 bad keys.
      const [, most, invalid] =
        /fewer\s+than (\d+) calls with the key, and at most (\d+) with/.exec(readFileSync('README.md', 'utf8')) ?? [];
      expect(calls - bad_keys).toBeLessThan(Number(most));
      expect(bad_keys).toBeLessThanOrEqual(Number(invalid) + (more.length > 0 ? 61 : 0));
      expect(result.checks.every(({ section }) => /^(A|B\d+)$/.test(section))).toBe(true);
      expect(output).toContain('[B8] an identical request gets a replay');
      expect(output).not.toContain(key);
      const certificate = openCertificate(await readFile(file, 'utf8'), new Date(), [certificateSigner().publicKey]);
      expect(certificate).toEqual(result.readiness);
    }
    await rm(directory, { recursive: true });
    const { rows } = await database.query(
      `SELECT count(*)::int AS n FROM bookings
       WHERE status = 'confirmed' AND tenant_id = $1 AND external_reference NOT LIKE 'example-%'`,
      [TENANT.id],
    );
    expect(rows).toEqual([{ n: 0 }]);
  },
  TIMEOUT,
);

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

test('independent slots do not touch each other', () => {
  const at = (minutes: number) => new Date(Date.UTC(2030, 0, 1, 8, minutes)).toISOString();
  const slots = Array.from({ length: 32 }, (_, i) => ({ starts_at: at(i * 15), ends_at: at(i * 15 + 60) }));
  expect(independentSlots(slots).map(({ starts_at }) => starts_at)).toEqual([0, 120, 240, 360].map(at));
});
