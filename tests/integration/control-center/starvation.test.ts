import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { BASE_PATH } from '@/lib/contract/operations';
import { processorMilliseconds } from '@/tests/bench/processor';
import { residentMebibytes } from '@/tests/bench/resident';
import { callProcedure, makePerson, openSessionOf, type TrpcReply } from '@/tests/support/control-center';
import { makeApplication, makeTenant } from '@/tests/support/factories';
import { type HeldLock, holdLock as hold } from '@/tests/support/held-lock';
import { type OwnDatabase, ownDatabase } from '@/tests/support/own-database';
import { startServer, type TestServer } from '@/tests/support/server';
import { SOAK } from '@/tests/support/soak';
import { until } from '@/tests/support/until';
import { BUSINESS, textOf } from './catalog-documents';

/** Maximum number of connections that one tenant's Control Center may hold, with a pool of 16. */
const MAX_OF_TENANT = 2;
const BUSY = 'The business is busy with other calls. Try again in a moment.';
const FLOOD = 12;

let database: OwnDatabase;
let server: TestServer;

beforeAll(async () => {
  database = await ownDatabase();
  server = await startServer({ databaseUrl: database.url, env: { DATABASE_POOL: '16' } });
});

afterAll(async () => {
  await server.stop();
  await database.drop();
});

type Call = (path: string, input?: unknown) => Promise<TrpcReply>;

/** Creates a tenant with a signed-in owner and a partner. */
async function makeBusiness() {
  const { id } = await makeTenant();
  const person = await makePerson(id);
  const cookie = await openSessionOf(person);
  const call =
    (type: 'query' | 'mutation'): Call =>
    (path, input) =>
      callProcedure(path, { origin: server.origin, cookie, type, input });
  const { key } = await makeApplication(id);
  const partner = async () => {
    const url = `${server.origin}${BASE_PATH}/bookings?external_reference=none`;
    const response = await fetch(url, { headers: { authorization: `Bearer ${key}` } });
    await response.text();
    return response.status;
  };
  const [query, mutate] = [call('query'), call('mutation')];
  // The first call compiles the code of the procedures and creates the session's tenant header.
  await query('session.me');
  return { id, cookie, query, mutate, partner };
}

/** Takes a lock, and releases it at the end of the test at the latest. */
async function holdLock(sql: string, values: unknown[] = []): Promise<HeldLock> {
  const held = await hold(database.url, sql, values);
  let released: Promise<void> | null = null;
  const release = () => {
    released ??= held.release();
    return released;
  };
  onTestFinished(release);
  return { ...held, release };
}

/** The lines of the server's log since `from` that report a refused or failed call. */
const problems = (from: number) =>
  server
    .errors()
    .slice(from)
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { level: number; msg: string; err?: unknown });

/** Returns the number of connections that wait for a lock of another one. */
async function waiting(): Promise<number> {
  const { rows } = await database.query(
    `SELECT count(*)::int AS waiting FROM pg_stat_activity
     WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return rows[0]?.waiting;
}

/** Returns the largest number of connections that wait for a lock while `work` runs. */
async function mostWaiting(work: Promise<unknown>): Promise<number> {
  let most = 0;
  let running = true;
  const done = work.finally(() => {
    running = false;
  });
  while (running) {
    most = Math.max(most, await waiting());
    // A call holds its connection for seconds.
    await delay(100);
  }
  await done;
  return most;
}

const TENANT_ROW = 'SELECT FROM tenants WHERE id = $1 FOR UPDATE';

test.each([
  ['changes of the catalog', 'mutation', TENANT_ROW, 'catalog.transfer.check', { text: JSON.stringify(BUSINESS) }],
  ['reads', 'query', 'LOCK TABLE saved_views IN ACCESS EXCLUSIVE MODE', 'views.list', { page: 'requests' }],
] as const)(
  '%s of one tenant hold two connections, so others do not wait, and end with one line each',
  async (_, type, lock, path, input) => {
    const [busy, other] = [await makeBusiness(), await makeBusiness()];
    const held = await holdLock(lock, lock === TENANT_ROW ? [busy.id] : []);
    const from = server.errors().length;
    const flood = Promise.all(
      Array.from({ length: FLOOD }, () => (type === 'query' ? busy.query : busy.mutate)(path, input)),
    );
    const most = mostWaiting(flood);
    await until(waiting, (count) => count === MAX_OF_TENANT);
    // The tenant has no turn left, but the owner of another one finds one.
    const transfer = await other.mutate('catalog.transfer.check', { text: JSON.stringify(BUSINESS) });
    expect(transfer).toMatchObject({ status: 200, data: { issues: [] } });
    expect(await Promise.all(Array.from({ length: 5 }, () => other.partner()))).toEqual(Array(5).fill(200));
    expect(await busy.partner()).toBe(200);
    expect((await other.query('session.me')).status).toBe(200);
    expect(await most).toBeLessThanOrEqual(MAX_OF_TENANT);
    const replies = await flood;
    await held.release();
    const messages = new Set(replies.map(({ status, error }) => `${status} ${error?.message}`));
    expect([...messages]).toEqual([`503 ${BUSY}`]);
    const lines = await until(
      async () => problems(from),
      (found) => found.length >= FLOOD,
    );
    expect(lines).toHaveLength(FLOOD);
    for (const line of lines) expect(line.err).toBeUndefined();
    const after = await (type === 'query' ? busy.query : busy.mutate)(path, input);
    expect(after.status).toBe(200);
  },
);

test('a document is read before the transaction, so one with errors waits for no lock', async () => {
  const busy = await makeBusiness();
  const held = await holdLock(TENANT_ROW, [busy.id]);
  const { status, data } = await busy.mutate('catalog.transfer.check', { text: '{}' });
  expect({ status, data }).toMatchObject({ status: 200, data: { issues: [{ path: '$.format' }] } });
  const service = await busy.mutate('catalog.services.create', { record: {} });
  expect(service).toMatchObject({ status: 400, error: { code: 'invalid_request' } });
  await held.release();
});

test('a large document waits for a lock for as long as a small one', async () => {
  const busy = await makeBusiness();
  const held = await holdLock(TENANT_ROW, [busy.id]);
  const from = server.errors().length;
  const text = JSON.stringify(BUSINESS).padEnd(300_000);
  const reply = await busy.mutate('catalog.transfer.check', { text });
  expect(reply).toMatchObject({ status: 503, error: { message: BUSY } });
  await held.release();
  // The line can arrive after the response.
  await until(
    async () => problems(from),
    (found) => found.length > 0,
  );
  expect(problems(from).map(({ err }) => err)).toEqual([undefined]);
});

test.each(['GET', 'POST'])('refuses a %s batch of eleven calls', async (method) => {
  const { cookie, id } = await makeBusiness();
  const send = async (calls: number) => {
    const path = Array(calls).fill('session.me').join(',');
    const headers = {
      cookie,
      'x-partner-booking': 'control-center',
      'x-tenant': id,
      'content-type': 'application/json',
    };
    const response = await fetch(`${server.origin}/api/trpc/${path}?batch=1`, {
      method,
      headers,
      ...(method === 'POST' && { body: '{}' }),
    });
    return { status: response.status, text: await response.text() };
  };
  const refused = await send(11);
  expect(refused).toMatchObject({ status: 413, text: expect.stringContaining('at most 10 calls') });
  expect((await send(10)).text).not.toContain('at most 10 calls');
});

const MIB = 1024 * 1024;
/** Slightly less than the maximum size of a document. */
const SIZE = 15.9 * MIB;
/** Maximum MiB of memory, and maximum milliseconds of a processor, that the check of a document may take. */
const MAX_MEMORY = 200;
const MAX_TIME = 5_000;

/** Returns a document of the maximum size that repeats `unit` between `head` and `tail`. */
function filled(head: string, unit: string, tail: string): string {
  const count = Math.floor((SIZE - head.length - tail.length) / unit.length);
  return head + unit.repeat(count).replace(/,$/, '') + tail;
}

const F = '"format":"partner-booking-catalog/1"';
/** Returns `lists` lists with `most` entries each. */
const wide = (unit: string, lists: number, most: number) =>
  Array.from({ length: lists }, () => `[${Array(most).fill(unit).join(',')}]`).join(',');

const DOCUMENTS: [shape: string, text: () => string, path: RegExp][] = [
  ['duplicate keys', () => filled('{', '"a":0,', '}'), /^\$$/],
  ['empty lists', () => filled(`{${F},"x":[`, '[],', ']}'), /^\$$/],
  ['empty records', () => filled(`{${F},"specialists":[`, '{},', ']}'), /^\$$/],
  ['records with long lists', () => filled(`{${F},"services":[`, `{"a":[${'0,'.repeat(4_000)}0]},`, ']}'), /^\$$/],
  ['unknown fields', () => filled(`{${F},"services":[{`, '"abc":0,', '}]}'), /^\$$/],
  ['hours of a location', () => filled(`{${F},"locations":[{"hours":[`, '{},', ']}]}'), /^\$$/],
  ['deep nesting', () => '['.repeat(SIZE), /^\$$/],
  ['deep nesting behind a comment', () => `/*"*/${'['.repeat(SIZE)}`, /^\$$/],
  // The remaining documents have fewer values than a document may have.
  ['nested empty lists', () => `{${F},"x":[${wide('[]', 100, 4_900)}]}`, /^\$\.x$/],
  ['lists in records', () => `{${F},"services":[${wide('{"a":0}', 100, 4_900)}]}`, /^\$\.services/],
  [
    'references',
    () =>
      `{${F},"specialists":[${Array(199)
        .fill(`{"workplaces":[{"service_ids":[${Array(4_900).fill('"a"').join(',')}]}]}`)
        .join(',')}]}`,
    /^\$\.specialists/,
  ],
  [
    'unknown fields of many records',
    () =>
      `{${F},"services":[${Array(190)
        .fill(`{${Array.from({ length: 4_900 }, (_, n) => `"k${n}":0`).join(',')}}`)
        .join(',')}]}`,
    /^\$\.services/,
  ],
  ['long strings', () => filled(`{${F},"services":[`, `{"name":"é${'a'.repeat(100_000)}"},`, ']}'), /^\$\.services/],
];

// One of each kind: too many values, too deep, too many entries of a list, and too long.
const SHORT = ['empty records', 'deep nesting', 'references', 'long strings'];
const CHOSEN = DOCUMENTS.filter(([shape]) => SOAK || SHORT.includes(shape));

/** Returns the most memory that the server has while `work` runs, in MiB. */
async function peakDuring(work: Promise<unknown>): Promise<number> {
  let running = true;
  const done = work.finally(() => {
    running = false;
  });
  let peak = 0;
  while (running) {
    peak = Math.max(peak, await residentMebibytes(server.pid));
    await delay(10);
  }
  await done;
  return peak;
}

describe('hostile documents', () => {
  let check: (text: string) => Promise<TrpcReply>;

  beforeAll(async () => {
    const { mutate } = await makeBusiness();
    check = (text) => mutate('catalog.transfer.check', { packed: gzipSync(text, { level: 1 }).toString('base64') });
    // The first checks load the code, and start a thread.
    await check(textOf(BUSINESS));
    await check(textOf(BUSINESS).padEnd(SIZE));
  });

  test.each(CHOSEN)('a document of %s takes little memory and time', async (_, text, path) => {
    const document = text();
    const [memory, time] = [await residentMebibytes(server.pid), await processorMilliseconds(server.pid)];
    const checked = check(document);
    const peak = await peakDuring(checked);
    const { status, data } = await checked;
    const taken = { memory: peak - memory, time: (await processorMilliseconds(server.pid)) - time };
    expect(status).toBe(200);
    expect(data).toMatchObject({ plan: null });
    expect((data as { issues: { path: string }[] }).issues[0]?.path).toMatch(path);
    expect(taken.memory).toBeLessThan(MAX_MEMORY);
    expect(taken.time).toBeLessThan(MAX_TIME);
  });
});
