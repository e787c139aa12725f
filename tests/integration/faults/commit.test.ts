import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CommitFault, type CommitProxy, startCommitProxy } from '@/tests/support/commit-proxy';
import { stateOf } from '@/tests/support/invariants';
import { type OwnDatabase, ownDatabase } from '@/tests/support/own-database';
import { startServer, type TestServer } from '@/tests/support/server';
import { repeats } from '@/tests/support/soak';
import {
  cancelOf,
  createOf,
  createPartner,
  dayAhead,
  makeStage,
  outcomeOf,
  type Partner,
  type Place,
  rescheduleOf,
  type Write,
  warmUp,
} from '@/tests/support/storm';
import { expectTruth } from '@/tests/support/truth';
import { startTurnProxy, type TurnProxy } from '@/tests/support/turn-proxy';
import { until } from '@/tests/support/until';

const wish = { date: dayAhead(7), start_time: '11:00' };

let directory: string;
let database: OwnDatabase;
let turns: TurnProxy;
let proxy: CommitProxy;
const servers: TestServer[] = [];

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'commits-'));
  database = await ownDatabase();
  turns = await startTurnProxy(database.url);
  proxy = await startCommitProxy(turns.url);
  await start();
});

afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop()));
  await proxy?.stop();
  await turns?.stop();
  await database.drop();
  await rm(directory, { recursive: true });
});

const logFile = () => join(directory, 'requests.ndjson');

/** Starts a server. Its queries go through `proxy`, but its LISTEN connection does not. */
async function start(): Promise<TestServer> {
  const server = await startServer({
    databaseUrl: proxy.url,
    env: { DIRECT_DATABASE_URL: database.url, REQUEST_LOG_FILE: logFile() },
  });
  servers.push(server);
  await warmUp(server.origin);
  return server;
}

const OPERATIONS = ['create', 'reschedule', 'cancel'] as const;

/**
 * Creates a booking. Then returns a write of the given kind without sending it. A reschedule or cancellation changes
 * the created booking.
 */
async function prepare(kind: (typeof OPERATIONS)[number], partner: Partner, place: Place): Promise<Write> {
  const made = await partner.prepare(createOf(place, { ...wish, start_time: '15:00' }));
  expect(outcomeOf(made)).toBe('201');
  if (kind === 'create') return createOf(place, wish);
  return kind === 'cancel' ? cancelOf(made.data.booking) : rescheduleOf(made.data.booking, wish);
}

/**
 * Sends the write again. If the first transaction was committed, asserts that the response is a replay. Otherwise,
 * asserts that the write makes a new change.
 * @param known the ids of requests that succeeded earlier.
 * @param done whether the first transaction was committed.
 */
async function expectFound(tenantId: string, partner: Partner, write: Write, known: Set<string>, done: boolean) {
  const found = await expectTruth(tenantId, partner, [{ write, reply: null }], known);
  expect(found).toEqual({ received: 0, replayed: done ? 1 : 0, made: done ? 0 : 1 });
}

/**
 * Asserts that the log entry of the request has the same status in the log file as in the database. If the write was
 * committed, both contain the status of a success, although the client got a 503.
 */
async function expectInCopy(requestId: string): Promise<void> {
  const stored = async () => {
    const { rows } = await database.query('SELECT status FROM request_log WHERE request_id = $1', [requestId]);
    return rows[0]?.status as number | undefined;
  };
  const status = await until(stored, (found) => found !== undefined);
  const lines = async () =>
    (await readFile(logFile(), 'utf8')).split('\n').filter((line) => line.includes(`"request_id":"${requestId}"`));
  const [line = ''] = await until(lines, ({ length }) => length > 0);
  expect(JSON.parse(line)).toMatchObject({ request_id: requestId, status });
}

async function requestsOf(tenantId: string): Promise<Set<string>> {
  const { events = [] } = await stateOf(tenantId);
  return new Set(events.map((event) => (event as { request_id: string }).request_id));
}

test('a create waits for the database twice: for its reads, and for its change with the COMMIT', async () => {
  const { tenantId, keys, place } = await makeStage();
  const partner = createPartner(servers[0]?.origin ?? '', keys[0] ?? '');
  await prepare('create', partner, place);
  const counted = turns.countTurns(tenantId);
  expect(outcomeOf(await partner.send(createOf(place, wish)))).toBe('201');
  expect(await counted).toBe(2);
});

const FAULTS: { fault: CommitFault; what: string; done: boolean }[] = [
  { fault: 'lost', what: 'never arrives', done: false },
  { fault: 'unanswered', what: 'arrives, but its response is cut off', done: true },
  { fault: 'hung', what: 'arrives, but its response never comes', done: true },
];

// The server waits for 8 s for a response that never comes.
test.concurrent.each(FAULTS.flatMap((fault) => OPERATIONS.map((kind) => ({ ...fault, kind }))))(
  'a $kind whose COMMIT $what is a 503 within 8 s, and a retry of the request finds the committed state',
  async ({ fault, done, kind }) => {
    const { tenantId, keys, place } = await makeStage();
    const partner = createPartner(servers[0]?.origin ?? '', keys[0] ?? '');
    const write = await prepare(kind, partner, place);
    const known = await requestsOf(tenantId);
    const failed = proxy.failNext(tenantId, fault);
    const startedAt = performance.now();
    const [reply] = await Promise.all([partner.send(write), failed]);
    expect(outcomeOf(reply)).toBe('503 service_unavailable');
    expect(performance.now() - startedAt).toBeLessThan(8_500);
    await expectFound(tenantId, partner, write, known, done);
    await expectInCopy(reply?.requestId ?? '');
  },
  120_000,
);

test.each(OPERATIONS.slice(0, repeats(1, OPERATIONS.length)))(
  'after a server is killed between the commit and the response of a %s, the next server replays it',
  async (kind) => {
    // Kills the server that was started last. Starting a server only for this test would take longer than the rest of
    // the test.
    const victim = servers.at(-1) ?? (await start());
    const { tenantId, keys, place } = await makeStage();
    const [key = ''] = keys;
    const partner = createPartner(victim.origin, key);
    const write = await prepare(kind, partner, place);
    const known = await requestsOf(tenantId);
    const committed = proxy.failNext(tenantId, 'hung');
    const answer = partner.attempt(write);
    await committed;
    await victim.kill();
    expect(outcomeOf(await answer)).toBe('broken');
    const next = await start();
    await expectFound(tenantId, createPartner(next.origin, key), write, known, true);
  },
  120_000,
);
