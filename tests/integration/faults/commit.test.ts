import { afterAll, beforeAll, expect, test } from 'vitest';
import { lockKey } from '@/lib/platform/locks';
import { type CommitFault, type CommitProxy, startCommitProxy } from '@/tests/support/commit-proxy';
import { holdLock } from '@/tests/support/held-lock';
import { expectIntact, stateOf } from '@/tests/support/invariants';
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

let database: OwnDatabase;
let turns: TurnProxy;
let proxy: CommitProxy;
const servers: TestServer[] = [];

beforeAll(async () => {
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
});

/** Starts a server. Its queries go through `proxy`, but its LISTEN connection does not. */
async function start(): Promise<TestServer> {
  const server = await startServer({
    databaseUrl: proxy.url,
    env: { DIRECT_DATABASE_URL: database.url },
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

/** Asserts the status in the log entry of the request. If the write was committed, it is a success despite the 503. */
async function expectLogged(requestId: string, done: boolean): Promise<void> {
  const stored = async () => {
    const { rows } = await database.query('SELECT status FROM request_log WHERE request_id = $1', [requestId]);
    return rows[0]?.status as number | undefined;
  };
  const status = await until(stored, (found) => found !== undefined);
  expect(status === 503).toBe(!done);
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

/** Maximum number of runs of a transaction: the first run and two retries (contract B8). */
const MOST_RUNS = 3;

type Failure = { code: string; when: 'IMMEDIATE' | 'DEFERRED'; times: number; seconds?: number };

/**
 * Creates a trigger that makes the next `times` transactions fail, either when they write an event (`IMMEDIATE`) or
 * when they commit (`DEFERRED`). Returns a function that removes the trigger and returns how many transactions ran. A
 * sequence counts them, because a rollback does not reset a sequence.
 */
async function failEvents({ code, when, times, seconds = 0 }: Failure): Promise<() => Promise<number>> {
  await database.query(`
    CREATE SEQUENCE runs; GRANT USAGE ON SEQUENCE runs TO PUBLIC;
    CREATE FUNCTION fail_event() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF nextval('runs') <= ${times} THEN
        PERFORM pg_sleep(${seconds});
        RAISE EXCEPTION 'simulated failure' USING ERRCODE = '${code}';
      END IF;
      RETURN NULL;
    END $$;
    CREATE CONSTRAINT TRIGGER fail_event AFTER INSERT ON events DEFERRABLE INITIALLY ${when}
      FOR EACH ROW EXECUTE FUNCTION fail_event()`);
  return async () => {
    const { rows } = await database.query('SELECT last_value::int AS runs FROM runs');
    await database.query('DROP TRIGGER fail_event ON events; DROP FUNCTION fail_event; DROP SEQUENCE runs');
    return rows[0]?.runs;
  };
}

const KINDS = ['40001', '40P01'].flatMap((code) =>
  (['IMMEDIATE', 'DEFERRED'] as const).map((when) => ({
    code,
    when,
    what: code === '40001' ? 'serialization failure' : 'deadlock',
    where: when === 'IMMEDIATE' ? 'in a statement' : 'at COMMIT',
  })),
);

test.each(KINDS)('a temporary $what $where is retried, and the partner gets the success', async ({ code, when }) => {
  const { tenantId, place, keys } = await makeStage();
  const partner = createPartner(servers.at(-1)?.origin ?? '', keys[0] ?? '');
  const runs = await failEvents({ code, when, times: 2 });
  const reply = await partner.send(createOf(place, wish)).finally(async () => expect(await runs()).toBe(3));
  expect(outcomeOf(reply)).toBe('201');
  expect(reply.data.booking.version).toBe(1);
  await expectIntact(tenantId);
});

test.each(KINDS)(
  'a permanent $what $where is a 503 after at most two retries and changes nothing',
  async ({ code, when }) => {
    const { tenantId, place, keys } = await makeStage();
    const partner = createPartner(servers.at(-1)?.origin ?? '', keys[0] ?? '');
    const before = await stateOf(tenantId);
    const write = createOf(place, wish);
    const runs = await failEvents({ code, when, times: 1_000 });
    const reply = await partner.send(write);
    const count = await runs();
    expect(outcomeOf(reply)).toBe('503 service_unavailable');
    expect(count).toBeGreaterThan(1);
    expect(count).toBeLessThanOrEqual(MOST_RUNS);
    expect(await stateOf(tenantId)).toEqual(before);
    expect(outcomeOf(await partner.send(write))).toBe('201');
    await expectIntact(tenantId);
  },
);

test.each(['IMMEDIATE', 'DEFERRED'] as const)('any other failure (%s) is not retried', async (when) => {
  const { tenantId, place, keys } = await makeStage();
  const partner = createPartner(servers.at(-1)?.origin ?? '', keys[0] ?? '');
  const before = await stateOf(tenantId);
  const runs = await failEvents({ code: '23514', when, times: 1_000 });
  const reply = await partner.send(createOf(place, wish));
  expect(await runs()).toBe(1);
  expect(outcomeOf(reply)).toBe('503 service_unavailable');
  expect(await stateOf(tenantId)).toEqual(before);
});

test.each((['IMMEDIATE', 'DEFERRED'] as const).slice(0, repeats(1, 2)))(
  'retries (%s) take at most 8 s in total',
  async (when) => {
    const { tenantId, place, keys } = await makeStage();
    const partner = createPartner(servers.at(-1)?.origin ?? '', keys[0] ?? '');
    const before = await stateOf(tenantId);
    const write = createOf(place, wish);
    const runs = await failEvents({ code: '40001', when, times: 1_000, seconds: 3 });
    const startedAt = performance.now();
    const reply = await partner.send(write);
    const took = performance.now() - startedAt;
    expect(await runs()).toBeGreaterThan(1);
    expect(outcomeOf(reply)).toBe('503 service_unavailable');
    expect(took).toBeLessThan(8_500);
    expect(await stateOf(tenantId)).toEqual(before);
    expect(outcomeOf(await partner.send(write))).toBe('201');
    await expectIntact(tenantId);
  },
);

test('a reschedule that PostgreSQL aborts because of a real deadlock is retried and succeeds', async () => {
  const ask = async (sql: string) => (await database.query(sql)).rows[0]?.count as number;
  const deadlocks = () =>
    ask('SELECT deadlocks::int AS count FROM pg_stat_database WHERE datname = current_database()');
  const waiting = () =>
    ask(`SELECT count(*)::int FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`);
  const before = await deadlocks();
  const { tenantId, place, keys, specialists } = await makeStage({ specialists: 2 });
  const partner = createPartner(servers.at(-1)?.origin ?? '', keys[0] ?? '');
  const { booking } = (await partner.prepare(createOf(place, wish))).data;
  const [lower, upper] = specialists.map(({ id }) => lockKey('specialist', id)).sort((a, b) => (a < b ? -1 : 1));
  const specialist = 'SELECT pg_advisory_xact_lock($1)';
  const gate = await holdLock(database.url, specialist, [upper]);
  const other = await holdLock(database.url, 'SELECT FROM bookings WHERE reference = $1 FOR UPDATE', [
    booking.reference,
  ]);
  // A transaction that waits for a lock checks for deadlocks after `deadlock_timeout`. PostgreSQL aborts the
  // transaction that finds a deadlock. The transaction `other` checks only after a minute, so PostgreSQL aborts the
  // reschedule.
  await other.query("SET LOCAL deadlock_timeout = '1min'");
  // `lower` and `upper` are the locks of the two specialists. The reschedule takes `lower` and waits for `upper`, which
  // `gate` holds. The transaction `other` has locked the row of the booking and waits for `lower`. After `gate` is
  // released, the reschedule takes `upper` and waits for the row. The reschedule and `other` then wait for each other.
  const moving = partner.send(rescheduleOf(booking, { ...wish, start_time: '15:00' }));
  await gate.untilWaiting();
  const wanting = other.query(specialist, [lower]).finally(other.release);
  await until(waiting, (count) => count === 2).finally(gate.release);
  await wanting;
  const reply = await moving;
  expect(outcomeOf(reply)).toBe('200');
  expect(reply.data.booking).toMatchObject({ version: 2, start_time: '15:00' });
  await until(deadlocks, (count) => count === before + 1);
  await expectIntact(tenantId);
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
    await expectLogged(reply?.requestId ?? '', done);
  },
  120_000,
);

// In `npm test`, faults/kill.test.ts kills a server at any moment.
test.each(OPERATIONS.slice(0, repeats(0, OPERATIONS.length)))(
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
