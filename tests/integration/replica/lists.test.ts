import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { request } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cookieName } from '@/lib/access/owners/cookies';
import { createBooking } from '@/lib/contract/operations';
import { listReader } from '@/lib/control-center/list-reads';
import { checkReplica } from '@/lib/operations/doctor/replica';
import { closeDb } from '@/lib/platform/db';
import { closeReplica, usableReplica } from '@/lib/platform/replica/replica';
import { resetSingleton } from '@/lib/platform/singleton';
import { AVAILABILITY, BOOKINGS, CUSTOMER, dayAhead, post } from '@/tests/support/bookings';
import { createClient } from '@/tests/support/client';
import { callProcedure, cookiesOf, makePerson, openSessionOf, tenantHeader } from '@/tests/support/control-center';
import { makeBusiness } from '@/tests/support/factories';
import { expectFound } from '@/tests/support/findings';
import { METRICS_TOKEN, readMetrics } from '@/tests/support/metrics';
import { CATALOG, withQuery } from '@/tests/support/paths';
import { type OwnPostgres, startPostgres } from '@/tests/support/postgres-restart';
import { startServer, type TestServer } from '@/tests/support/server';
import { sharedServer } from '@/tests/support/shared';
import { type Standby, startStandby } from '@/tests/support/standby';
import { startTcpProxy, type TcpProxy } from '@/tests/support/tcp-proxy';
import { until } from '@/tests/support/until';
import { EXPORTS, LISTS } from './all-lists';

let postgres: OwnPostgres;
let standby: Standby;
let proxy: TcpProxy;
/** A server that accepts a lag of one second, which is the default. */
let strict: TestServer;
/** A server that accepts a lag of a minute, and reaches the standby through `proxy`. */
let patient: TestServer;
let business: Awaited<ReturnType<typeof makeBusiness>>;
let session = '';

beforeAll(async () => {
  postgres = await startPostgres();
  standby = await startStandby(postgres);
  process.env.DATABASE_URL = postgres.url;
  process.env.DATABASE_REPLICA_URL = standby.url;
  process.env.LOG_LEVEL = 'silent';
  proxy = await startTcpProxy(standby.url);
  const start = (env: Record<string, string>) =>
    startServer({ databaseUrl: postgres.url, env: { METRICS_TOKEN, INSTANCES: '2', LOG_LEVEL: 'warn', ...env } });
  [strict, patient] = await Promise.all([
    start({}),
    start({ DATABASE_REPLICA_URL: proxy.url, REPLICA_MAX_LAG: '60000' }),
  ]);
  business = await makeBusiness();
  session = await openSessionOf(await makePerson(business.tenant.id));
}, 120_000);

afterAll(async () => {
  await Promise.all([strict?.stop(), patient?.stop()]);
  await proxy?.stop();
  closeReplica();
  await closeDb();
  await standby?.destroy();
  await postgres?.destroy();
});

const list = ({ origin }: TestServer, path: string, input?: unknown, cookie = session) =>
  callProcedure(path, { origin, cookie, type: 'query', input });

/** Sends a request for a change or an export, as the owner's browser does. */
async function send({ origin }: TestServer, path: string, body: unknown) {
  return request(`${origin}${path}`, {
    method: 'POST',
    headers: {
      'x-partner-booking': 'control-center',
      'content-type': 'application/json',
      cookie: session,
      ...(await tenantHeader(origin, session)),
    },
    body: JSON.stringify(body),
  });
}

async function exportOf(server: TestServer, name: string): Promise<string> {
  const response = await send(server, `/api/control-center/${name}`, {});
  expect(response.statusCode).toBe(200);
  expect(cookiesOf(response.headers['set-cookie'])).toContain(cookieName('changed'));
  return response.body.text();
}

/**
 * Reads the counters of a server under test. Returns a function that takes a database server (`primary` or `replica`)
 * and a reason, and returns how many lists were read from that database server for that reason.
 */
async function readsOf({ origin }: TestServer): Promise<(server: string, reason?: string) => number> {
  const metrics = await readMetrics(origin);
  return (server, reason = '') =>
    metrics.get(`partner_booking_list_reads_total{server="${server}",reason="${reason}"}`) ?? 0;
}

/** Reads a list until the replica serves it. */
const untilReplica = (server: TestServer) =>
  until(
    async () => {
      const before = await readsOf(server);
      expect((await list(server, 'overview.today')).status).toBe(200);
      const after = await readsOf(server);
      return after('replica') - before('replica');
    },
    (reads) => reads === 1,
  );

/** Suspends or resumes the application, which adds an entry to the audit log. Returns the browser's cookies. */
async function change(server: TestServer, suspended: boolean): Promise<string> {
  const input = { application_id: business.applicationId, suspended };
  const response = await send(server, '/api/trpc/applications.set_suspended', input);
  expect([response.statusCode, await response.body.text()]).toEqual([200, expect.any(String)]);
  return `${session}; ${cookiesOf(response.headers['set-cookie'])}`;
}

async function changesIn(server: TestServer, cookie = session): Promise<number> {
  const { status, data } = await list(server, 'audit.list', {}, cookie);
  expect(status).toBe(200);
  return (data as { lines: unknown[] }).lines.length;
}

test('every list is read from the standby', async () => {
  await untilReplica(strict);
  const before = await readsOf(strict);
  await standby.statements();
  for (const [path, input] of LISTS) expect([path, (await list(strict, path, input)).status]).toEqual([path, 200]);
  const bodies = [];
  for (const name of EXPORTS) bodies.push(await exportOf(strict, name));
  expect(bodies.join()).toContain('application.created');
  const after = await readsOf(strict);
  // The export of the audit log first makes an additional read of the names of catalog records and applications.
  expect(after('replica') - before('replica')).toBe(LISTS.length + EXPORTS.length + 1);
  const sent = (await standby.statements()).join();
  for (const table of [
    'audit_log',
    'request_log',
    'bookings',
    'sign_ins',
    'refused_calls',
    'webhook_endpoints',
    'api_keys',
  ])
    expect(sent).toMatch(new RegExp(`FROM "?(public"\\.")?${table}\\b`));
});

test('no request of a partner reaches the standby', async () => {
  await untilReplica(strict);
  await standby.statements();
  const client = createClient({ origin: strict.origin, key: business.key });
  const { service, location } = business;
  const days = { service_id: service.id, location_id: location.id, date: dayAhead(), date_to: dayAhead(9) };
  const body = {
    service_id: service.id,
    location_id: location.id,
    date: dayAhead(),
    start_time: '10:00',
    external_reference: 'order-4711',
    customer: CUSTOMER,
  };
  const key = randomUUID();
  const created = [await post(client, BOOKINGS, createBooking, body, { key })];
  created.push(await post(client, BOOKINGS, createBooking, body, { key }));
  expect(created.map(({ status }) => status)).toEqual([201, 201]);
  for (const path of [
    CATALOG,
    withQuery(AVAILABILITY, days),
    withQuery(BOOKINGS, { external_reference: 'order-4711' }),
  ])
    expect([path, (await client(path)).status]).toEqual([path, 200]);
  const measuring = /pg_control_system\(\)|^SET statement_timeout/;
  expect((await standby.statements()).filter((sql) => !measuring.test(sql))).toEqual([]);
});

test('a browser sees its own change at once; another one sees it when the standby has it', async () => {
  await untilReplica(patient);
  const seen = await changesIn(patient);
  await standby.query('SELECT pg_wal_replay_pause()');
  const cookies = await change(patient, true);
  expect(cookies).toMatch(new RegExp(`${cookieName('changed')}=1`));
  expect([await changesIn(patient, cookies), await changesIn(patient)]).toEqual([seen + 1, seen]);
  await standby.query('SELECT pg_wal_replay_resume()');
  await until(
    () => changesIn(patient),
    (now) => now === seen + 1,
  );
});

test('a standby that lags behind by more than a second is not read, and one without changes does not lag', async () => {
  await until(
    async () => usableReplica(),
    (found) => typeof found !== 'string',
  );
  const seen = await changesIn(strict);
  await untilReplica(strict);
  await standby.query('SELECT pg_wal_replay_pause()');
  await change(strict, false);
  const begun = performance.now();
  await until(
    () => changesIn(strict),
    (now) => now === seen + 1,
  );
  expect(performance.now() - begun).toBeLessThan(2_000);
  expect((await readsOf(strict))('primary', 'behind')).toBeGreaterThan(0);
  expect((await readMetrics(strict.origin)).get('partner_booking_replica_lag_seconds')).toBeGreaterThan(1);
  // Both the server and this process measure the lag. This process may notice it later than the server.
  await until(
    async () => usableReplica(),
    (found) => found === 'behind',
  );
  await expectFound(checkReplica(standby.url, postgres.url, 300), 'warning', 'lags behind');
  await standby.query('SELECT pg_wal_replay_resume()');
  await untilReplica(strict);
  await delay(1_500);
  expect((await readMetrics(strict.origin)).get('partner_booking_replica_lag_seconds')).toBeLessThan(1);
  await expectFound(checkReplica(standby.url, postgres.url), 'ok', 'has every change');
});

test('a read that the recovery cancels is repeated on the primary', async () => {
  await until(
    async () => usableReplica(),
    (found) => typeof found !== 'string',
  );
  const SLOW_REPLICA = `
    SELECT pg_is_in_recovery() AS replica, CASE WHEN pg_is_in_recovery() THEN pg_sleep(2.5) END FROM audit_log LIMIT 1`;
  const servers: boolean[] = [];
  const reading = listReader(false)(async (database) => {
    const { rows } = await database.pool.query<{ replica: boolean }>('SELECT pg_is_in_recovery() AS replica');
    servers.push(...rows.map(({ replica }) => replica));
    return (await database.pool.query<{ replica: boolean }>(SLOW_REPLICA)).rows[0]?.replica;
  });
  await until(
    async () => standby.statements(),
    (all) => all.some((sql) => sql.includes('pg_sleep(2.5)')),
  );
  const begun = performance.now();
  await postgres.query('BEGIN; LOCK TABLE audit_log IN ACCESS EXCLUSIVE MODE; COMMIT');
  expect([await reading, servers]).toEqual([false, [true, false]]);
  expect(performance.now() - begun).toBeLessThan(2_000);
  expect(typeof usableReplica()).not.toBe('string');
});

test('a standby that hangs or ends delays a list by at most three seconds, and no list fails', async () => {
  await untilReplica(patient);
  proxy.hang();
  const begun = performance.now();
  expect((await list(patient, 'bookings.list', {})).status).toBe(200);
  expect(performance.now() - begun).toBeLessThan(4_000);
  expect((await readsOf(patient))('primary', 'failed')).toBeGreaterThan(0);
  await untilReplica(strict);
  await standby.stop();
  for (const [path, input] of LISTS) expect([path, (await list(strict, path, input)).status]).toEqual([path, 200]);
  expect((await readsOf(strict))('primary', 'unavailable')).toBeGreaterThan(0);
  await until(
    async () => strict.errors(),
    (text) => text.includes('because the replica is unavailable'),
  );
  await expectFound(checkReplica(standby.url, postgres.url), 'wrong', 'ECONNREFUSED');
  await standby.start();
  await untilReplica(strict);
});

test('a server that is no standby, or belongs to another database, is never read', async () => {
  await expectFound(checkReplica(postgres.url, postgres.url), 'wrong', 'is not a standby server');
  await expectFound(checkReplica(standby.url, sharedServer().databaseUrl), 'wrong', 'another database cluster');
  closeReplica();
  Object.assign(process.env, { DATABASE_REPLICA_URL: postgres.url });
  resetSingleton('env');
  usableReplica();
  await delay(500);
  expect(usableReplica()).toBe('unavailable');
});
