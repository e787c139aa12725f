import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PartnerError, partnerClient } from '@/lib/contract/client';
import { EXAMPLE_IDS } from '@/lib/contract/common';
import { ALL_OPERATIONS, OPERATIONS, type OperationId, setTestClock } from '@/lib/contract/operations';
import { CLIENT_FILE } from '@/scripts/client/source';
import { createDatabase, openPool } from '@/tests/support/database';
import { endLaunches, freshDataDir, launch, removeDataDirs } from '@/tests/support/launcher';
import { until } from '@/tests/support/until';
import { type Block, codeBlocks, OWN, ROOT } from './blocks';
import { type Collection, runCollection } from './collection';
import { makePlace, type Place, shell, TIMEOUT, TSX } from './place';

/** In this order, which is that of a booking: each finds what the earlier ones have left. */
const WALK = [
  'listCatalog',
  'listSpecialists',
  'listAvailability',
  'createBooking',
  'listBookings',
  'readBooking',
  'cancelBooking',
  'rescheduleBooking',
];

/** Parameters of which one set is required, so that none is marked as required. */
const FILTERS: Partial<Record<OperationId, string[][]>> = {
  listBookings: [['external_reference'], ['from', 'to'], ['updated_since']],
};

/** Values that only an earlier response has. */
const OPAQUE = ['cursor', 'min_token', 'exclude_reference'];

/** What the examples of other operations than a success get in a new sandbox. */
const REFUSED: Partial<Record<OperationId, string>> = {
  sendTestEvent: '409 no_endpoint',
  checkSignature: '409 no_endpoint',
  putBusyTime: '403 null',
  deleteBusyTime: '403 null',
};

/** A program that imports the TypeScript examples. */
const USES = `import { createServer } from 'node:http';
import { handle } from './verify.ts';
createServer(async (_, response) => response.end(String((await handle(new Request('http://host'))).status)));
`;

let database: Awaited<ReturnType<typeof createDatabase>>;
let blocks: Block[] = [];
let place: Place;

const of = (page: string, language: string) => blocks.filter((one) => one.page === page && one.language === language);

beforeAll(async () => {
  database = await createDatabase();
  const DATA_DIR = await freshDataDir();
  await launch({ DATA_DIR, DATABASE_URL: database.url }).running();
  const { base_url, applications } = JSON.parse(await readFile(join(DATA_DIR, 'credentials.json'), 'utf8'));
  blocks = codeBlocks(new URL(base_url).origin);
  place = await makePlace(blocks);
  place.environment.API_KEY = applications[0].api_key;
  await writeFile(join(place.directory, 'uses.ts'), USES);
}, TIMEOUT);

afterAll(async () => {
  await endLaunches();
  await removeDataDirs();
  await database.drop();
  await rm(place.directory, { recursive: true, force: true });
});

async function typescript(file: string): Promise<string> {
  const options = { cwd: place.directory, env: { ...place.environment, API: apiOf() }, timeout: TIMEOUT };
  return (await promisify(execFile)(process.execPath, [TSX, file], options)).stdout;
}

const apiOf = () => /export API=(\S+)/.exec(of('quickstart.md', 'sh')[0]?.code ?? '')?.[1] ?? '';

const quickstart = () => of('quickstart.md', 'sh').filter(({ name }) => name === '');

test('a new sandbox has a booking for the example of each operation on a booking', async () => {
  const { origin } = new URL(apiOf());
  const pool = openPool(database.url, 1);
  // The server makes them as soon as it runs.
  const { rows } = await until(
    () => pool.query('SELECT reference, status, version FROM bookings'),
    ({ rowCount }) => rowCount === 4,
  ).finally(() => pool.end());
  expect(rows.map(({ status, version }) => [status, version])).toEqual(Array(4).fill(['confirmed', 1]));
  const { paths, components } = await (await fetch(`${origin}/docs/openapi.json`)).json();
  // An operation with an example of its own does not refer to the shared parameter.
  for (const name of Object.keys(components.parameters))
    expect(JSON.stringify(paths)).toContain(`"#/components/parameters/${name}"`);
  const named = new Set(JSON.stringify(paths).match(/pbr_\w{26}/g));
  named.delete(EXAMPLE_IDS.booking);
  expect([...named].sort()).toEqual(rows.map(({ reference }) => reference).sort());
});

test(
  'in TEST, the first call, every curl command, and every example of OpenAPI run as they stand',
  async () => {
    const origin = new URL(apiOf()).origin;
    const page = async (path: string) => (await fetch(`${origin}${path}`)).text();
    const curlOn = async (path: string) => /```sh\n(curl [\s\S]*?)\n```/.exec(await page(path))?.[1] ?? '';
    const run = async (code: string) => JSON.parse(await shell(place, [{ code }]));
    const before = await page('/docs/openapi.json');
    expect(await run(await curlOn('/docs/index.md'))).toHaveProperty('data.slots.0.date');
    const statuses: Record<string, unknown> = {};
    const others = OPERATIONS.map(({ id }) => id).filter((id) => !WALK.includes(id));
    for (const id of [...WALK, ...others]) {
      const answer = await run(await curlOn(`/docs/reference/${id}.md`));
      statuses[id] = answer.error?.reason ?? Object.keys(answer.data ?? answer)[0];
    }
    expect(statuses).toEqual({
      listCatalog: 'services',
      listSpecialists: 'specialists',
      listAvailability: 'slots',
      listAvailabilityDays: 'combinations',
      explainAvailability: 'starts',
      createBooking: 'booking',
      listBookings: 'bookings',
      readBooking: 'booking',
      cancelBooking: 'booking',
      rescheduleBooking: 'booking',
      digestBookings: 'days',
      listEvents: 'events',
      readMe: 'application',
      sendTestEvent: 'no_endpoint',
    });
    // Examples are at most five seconds old.
    const changed = await until(
      () => page('/docs/openapi.json'),
      (text) => text !== before,
    );
    const { paths } = JSON.parse(changed);
    const answers: Record<string, string[]> = {};
    // The clock is last, because it changes what the others see.
    const last = ALL_OPERATIONS.filter(({ id }) => id === 'setTestClock');
    for (const { id, path, method } of [...ALL_OPERATIONS.filter((one) => !last.includes(one)), ...last]) {
      const item = paths[path];
      const { parameters, requestBody } = item[method.toLowerCase()];
      const all: { name: string; in: string; required?: boolean; example: unknown }[] = [
        ...item.parameters,
        ...parameters,
      ].filter(({ name }) => name);
      const required = all.filter((one) => one.required);
      const optional = all.filter((one) => one.in === 'query' && !one.required && !OPAQUE.includes(one.name));
      const filters = FILTERS[id] ?? [[]];
      const others = optional.filter(({ name }) => !filters.flat().includes(name));
      const sets = [...filters, ...others.map(({ name }) => [...(filters[0] ?? []), name])];
      const body = requestBody && JSON.stringify(requestBody.content['application/json'].example);
      answers[id] = [];
      for (const names of sets) {
        const sent = [...required, ...optional.filter(({ name }) => names.includes(name))];
        const given = (where: string) =>
          sent.filter((one) => one.in === where).map(({ name, example }): [string, string] => [name, String(example)]);
        const target = path.replace(/\{\w+\}/, () => given('path')[0]?.[1] ?? '');
        const answer = await fetch(`${apiOf()}${target}?${new URLSearchParams(given('query'))}`, {
          method,
          body,
          headers: {
            Authorization: `Bearer ${place.environment.API_KEY}`,
            ...(body && { 'Content-Type': 'application/json' }),
            ...Object.fromEntries(given('header')),
          },
        });
        const outcome = answer.ok ? 'success' : `${answer.status} ${(await answer.json()).error.reason}`;
        if (outcome !== (REFUSED[id] ?? 'success')) answers[id].push(`${names.join(' ')}: ${outcome}`);
      }
    }
    expect(answers).toEqual(Object.fromEntries(ALL_OPERATIONS.map(({ id }) => [id, []])));
    const clock = await fetch(`${apiOf()}${setTestClock.path}`, {
      method: 'POST',
      body: '{"real_time":true}',
      headers: {
        Authorization: `Bearer ${place.environment.API_KEY}`,
        'Content-Type': 'application/json',
        'Idempotency-Key': randomUUID(),
      },
    });
    expect(clock.status).toBe(200);
  },
  TIMEOUT,
);

test(
  'the quickstart runs unchanged: first call, first booking, safe retry, cancellation',
  async () => {
    const cancel = of('quickstart.md', 'sh').filter(({ name }) => name === 'cancel');
    const output = await shell(place, [...quickstart(), ...cancel]);
    expect(output).toContain('"services":[{"id":"svc_');
    const responses = output.split(/(?=HTTP\/[\d.]+ \d{3})/).slice(1);
    expect(responses.map((response) => response.split(' ')[1])).toEqual(['201', '201']);
    const [first, second] = responses.map((response) => /"reference":"(pbr_\w{26})"/.exec(response)?.[1]);
    expect([first, second]).toEqual([expect.any(String), first]);
    expect(output.match(/idempotent-replayed: true/gi)).toHaveLength(1);
    const canceled = JSON.parse(output.slice(output.lastIndexOf('{"data"'))).data.booking;
    expect(canceled).toMatchObject({
      reference: first,
      status: 'cancelled',
      version: 2,
      external_reference: 'order-4711',
    });
  },
  TIMEOUT,
);

test(
  'the shell examples of the guides run after those of the quickstart',
  async () => {
    const guides = [...new Set(blocks.filter(({ page }) => page.startsWith('guides/')).map(({ page }) => page))];
    const outputs = new Map<string, string>();
    for (const page of guides.filter((one) => of(one, 'sh').length > 0)) {
      outputs.set(page, await shell(place, [...quickstart(), ...of(page, 'sh')]));
    }
    expect([...outputs.keys()].sort()).toEqual([
      'guides/agents.md',
      'guides/fewer-reads.md',
      'guides/idempotency.md',
      'guides/lost-writes.md',
      'guides/no-slots.md',
      'guides/paging.md',
      'guides/rate-limits.md',
      'guides/reconciliation.md',
      'guides/support.md',
      'guides/testing.md',
      'guides/versions.md',
    ]);
    expect(outputs.get('guides/support.md')?.trim().endsWith('200')).toBe(true);
    expect(outputs.get('guides/idempotency.md')?.trim().endsWith('201')).toBe(true);
    expect(
      outputs
        .get('guides/rate-limits.md')
        ?.slice(-120)
        .match(/x-ratelimit-\w+: \d+/gi),
    ).toHaveLength(3);
    expect(outputs.get('guides/fewer-reads.md')).toMatch(
      /"available":(true|false)[\s\S]+"next_slot":\{[\s\S]+304\n200\n$/,
    );
    expect(outputs.get('guides/lost-writes.md')?.trim()).toMatch(/\npbr_\w{26}$/);
    expect(outputs.get('guides/paging.md')?.trim()).toMatch(/\n"reference":"pbr_\w{26}"$/);
    expect(outputs.get('guides/testing.md')).toMatch(
      /"offset_seconds":86400.*"cancelled_by":"owner".*"offset_seconds":0/s,
    );
    expect(outputs.get('guides/agents.md')).toContain('MCP_TOKEN');
    expect(outputs.get('guides/reconciliation.md')).toMatch(/processed [1-9]\d*\n"sequence":[1-9]\d*\n/);
    expect(outputs.get('guides/versions.md')).toContain('"status":"cancelled"');
  },
  TIMEOUT,
);

test('the quickstart downloads the client, which is the one in the repository', async () => {
  const file = join(place.directory, 'client.ts');
  await rm(file);
  await shell(
    place,
    of('quickstart.md', 'sh').filter(({ name }) => name === 'download'),
  );
  expect(await readFile(file, 'utf8')).toBe(await readFile(CLIENT_FILE, 'utf8'));
});

test(
  'the TypeScript examples compile',
  async () => {
    const names = blocks.filter(({ language }) => language === 'ts').map(({ name }) => name);
    const files = [...names, 'client.ts', 'book.ts', 'all_services.ts', 'uses.ts'];
    expect(files.length).toBeGreaterThan(6);
    const compilerOptions = { incremental: false, noEmit: true, plugins: [], types: ['node'] };
    const config = { extends: join(ROOT, 'tsconfig.json'), compilerOptions, files, include: [], exclude: [] };
    await writeFile(join(place.directory, 'tsconfig.json'), JSON.stringify(config));
    const compiler = join(ROOT, 'node_modules/typescript7/bin/tsc');
    const { stdout } = await promisify(execFile)(process.execPath, [compiler, '-p', place.directory]).catch(
      (failed: { stdout: string }) => failed,
    );
    expect(stdout).toBe('');
  },
  TIMEOUT,
);

test(
  'the TypeScript examples run',
  async () => {
    // In one process, because each start of tsx takes as much processor time as all examples.
    const names = ['book', 'all_services', 'local-date'];
    const uses = names.map((name) => `await import('./${name}.ts');\nconsole.log('—');\n`);
    await writeFile(join(place.directory, 'all.ts'), uses.join(''));
    const [book, services, date] = (await typescript('all.ts')).split('—\n');
    expect(book).toMatch(/^booked pbr_\w{26} \S+\nthe same booking true\ncancelled\n$/);
    expect(services?.trim().split('\n').length).toBeGreaterThan(20);
    expect(date).toMatch(/^\d{4}-\d\d-\d\d \d{4}-\d\d-\d\d\n$/);
  },
  TIMEOUT,
);

test('a refusal is thrown as a PartnerError with code and reason', async () => {
  const clientOf = (apiKey: string) => partnerClient({ baseUrl: apiOf(), apiKey });
  const client = clientOf(place.environment.API_KEY ?? '');
  const refused = (call: Promise<unknown>) => call.catch((error: unknown) => error);
  const requestId = expect.stringMatching(/^req_/);
  const missing = await refused(client.readBooking('pbr_none'));
  expect(missing).toBeInstanceOf(PartnerError);
  expect(missing).toMatchObject({ status: 404, code: 'not_found', reason: null, requestId, retryAfter: 0 });
  const invalid = { status: 400, code: 'invalid_request', reason: 'unknown_field', requestId };
  expect(await refused(client.listCatalog({ color: 1 } as object))).toMatchObject(invalid);
  const wrong = { status: 401, code: 'invalid_api_key', reason: 'wrong_environment', requestId };
  expect(await refused(clientOf('pbk_live_other').listCatalog())).toMatchObject(wrong);
});

// tests/integration/conformance shows what the suite checks.
test('the commands of the checklist download and start the conformance suite without the repository', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'checklist-'));
  const environment = { ...place.environment, API_KEY: `pbk_test_${'0'.repeat(38)}` };
  const run = shell({ directory, environment }, of('guides/going-live.md', 'console'));
  await expect(run).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining('does not accept the key') });
  await rm(directory, { recursive: true, force: true });
});

test('the Postman collection runs from the catalog to a canceled booking with nothing but a key', async () => {
  const { origin } = new URL(apiOf());
  const response = await fetch(`${origin}/docs/postman.json`);
  const passed = await runCollection((await response.json()) as Collection, place.environment.API_KEY ?? '');
  expect(passed).toMatchObject({
    'Create a booking': ['status 201', 'confirmed, version 1'],
    'List or find bookings': ['status 200', 'the booking is found'],
    'Compare bookings by day': ['status 200', 'there is a hash'],
    'List events': ['status 200', 'the events begin'],
    'Read who you are': ['status 200', 'the key is valid'],
    'Send yourself a test event': ['status 202, or 409 without an endpoint'],
    'Reschedule a booking': ['status 200', 'confirmed, version 2'],
    'Cancel a booking': ['status 200', 'cancelled, version 3'],
  });
  expect(Object.keys(passed).length).toBe(OPERATIONS.length);
});

test('JSON examples are valid JSON, and npm commands exist', async () => {
  for (const { code } of blocks.filter(({ language }) => language === 'json'))
    expect(() => JSON.parse(code)).not.toThrow();
  const { scripts } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
  const commands = OWN.flatMap((page) => of(page, 'sh').flatMap(({ code }) => code.trim().split('\n')));
  expect(commands).toEqual(expect.arrayContaining(['npm start', 'npm test']));
  // Other lines run other programs. tests/unit/deploy checks those of an upgrade.
  for (const command of commands.filter((one) => /\bnpm\b/.test(one))) {
    const [, name = ''] = /^(?:[A-Z_]+=\S+ )*npm (?:run )?([a-z:-]+)\b/.exec(command) ?? [];
    expect(scripts, command).toHaveProperty(name);
  }
});
