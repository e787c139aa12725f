import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MAX_REFUSALS } from '@/lib/activity/request-log/refusals';
import {
  checkClock,
  checkDatabase,
  checkPooling,
  checkRole,
  checkSchema,
  EMBEDDED_LINE,
  type Urls,
} from '@/lib/operations/doctor/database';
import type { Severity } from '@/lib/operations/doctor/findings';
import { checkEgress, checkOrigin } from '@/lib/operations/doctor/network';
import { claimEnvironment } from '@/lib/operations/environment/claim';
import { grantServer } from '@/lib/operations/environment/grants';
import { pollerName } from '@/lib/platform/cache';
import { parseSettings } from '@/lib/platform/env';
import { createDatabase, openPool, type TestDatabase } from '@/tests/support/database';
import { expectFound } from '@/tests/support/findings';
import { freePort } from '@/tests/support/free-port';
import { endLaunches, freshDataDir, launch, removeDataDirs } from '@/tests/support/launcher';
import { startPoolerProxy } from '@/tests/support/pooler-proxy';
import { startServer, TEST_SECRET, type TestServer } from '@/tests/support/server';
import { SOAK } from '@/tests/support/soak';

const CLOSED = 'postgresql://someone:hidden@127.0.0.1:1/none';
const claim = { environment: 'TEST' as const, secretKey: TEST_SECRET };

let database: TestDatabase;
let pool: pg.Pool;
// The tests use their own server, because other tests may have used up the failure quota of the loopback address on the
// shared server.
let server: TestServer;

beforeAll(async () => {
  database = await createDatabase();
  pool = openPool(database.adminUrl, 2);
  server = await startServer({ databaseUrl: database.url });
});

afterAll(async () => {
  await endLaunches();
  await removeDataDirs();
  await server?.stop();
  await pool.end();
  await database.drop();
});

const urls = (): Urls => ({ url: database.url, directUrl: database.url, migrationUrl: database.ownerUrl });

describe('the database', () => {
  test('responds, and is embedded in LIVE', async () => {
    await expectFound(checkDatabase(urls(), parseSettings({})), 'ok', 'responds');
    const settings = { ENVIRONMENT: 'LIVE', SECRET_KEY: TEST_SECRET };
    const embedded = checkDatabase(urls(), parseSettings(settings));
    await expectFound(embedded, 'warning', `PostgreSQL ${EMBEDDED_LINE.newest} has fixes that it lacks`);
    const own = await checkDatabase(urls(), parseSettings({ ...settings, DATABASE_URL: database.url }));
    expect(own.map(({ severity }) => severity)).toEqual(['ok']);
  });

  test('is used by more instances than the settings say, which are counted if their number changes', async () => {
    const name = pollerName(['a-key']);
    const others = [1, 2].map(() => new pg.Client({ connectionString: database.url, application_name: name }));
    await Promise.all(others.map((one) => one.connect()));
    const texts = async (settings: object) => {
      const found = await checkDatabase(urls(), parseSettings({ WORKERS: '1', ...settings }));
      return found.slice(1).map(({ text }) => text.replace(/allows \d+/, 'allows some'));
    };
    expect(await texts({})).toEqual([expect.stringMatching('^3 instances use this database, but INSTANCES is 1')]);
    expect(await texts({ INSTANCES: '3' })).toEqual([]);
    expect(await texts({ WORKERS: 'auto' })).toEqual([]);
    expect(await texts({ INSTANCES: 'auto' })).toEqual([]);
    const pool = { INSTANCES: 'auto', DATABASE_POOL: '200' };
    expect(await texts(pool)).toEqual([
      'The database allows some connections, but INSTANCES, WORKERS, and DATABASE_POOL let the servers open 603.',
    ]);
    expect(await texts({ ...pool, WORKERS: '3' })).toEqual([expect.stringContaining('let the servers open 268')]);
    expect(await texts({ ...pool, DATABASE_URL: database.url, DIRECT_DATABASE_URL: database.url })).toEqual([]);
    await Promise.all(others.map((one) => one.end()));
  });

  test('cannot be reached', async () => {
    await expectFound(
      checkDatabase({ url: CLOSED, directUrl: CLOSED, migrationUrl: null }, parseSettings({})),
      'wrong',
      'ECONNREFUSED',
    );
  });

  test('can lose commits, or allows too few connections', async () => {
    const name = new URL(database.url).pathname.slice(1);
    await pool.query(`ALTER DATABASE "${name}" SET synchronous_commit = off`);
    const found = checkDatabase(urls(), parseSettings({ INSTANCES: '900' }));
    await expectFound(found, 'wrong', 'synchronous_commit is off');
    await expectFound(found, 'warning', 'INSTANCES, WORKERS, and DATABASE_POOL');
    await pool.query(`ALTER DATABASE "${name}" RESET synchronous_commit`);
  });

  test('has a role with no rights, with too many, or that owns the tables', async () => {
    await expectFound(checkRole(urls()), 'ok', 'of the servers owns nothing');
    await expectFound(checkRole({ ...urls(), url: database.adminUrl }), 'wrong', 'is a superuser');
    await expectFound(checkRole({ ...urls(), url: database.ownerUrl }), 'warning', 'owns the database or its tables');
    await expectFound(checkRole({ ...urls(), migrationUrl: database.url }), 'wrong', 'not allowed to migrate');
    await expectFound(checkRole({ ...urls(), migrationUrl: CLOSED }), 'wrong', 'ECONNREFUSED');
    const url = new URL(database.url);
    const role = `doctor_${process.pid}`;
    Object.assign(url, { username: role, password: 'hidden' });
    await pool.query(`CREATE ROLE ${role} LOGIN CREATEDB PASSWORD 'hidden'`);
    await pool.query(`GRANT CONNECT, CREATE ON DATABASE ${url.pathname.slice(1)} TO ${role}`);
    await pool.query(`GRANT CREATE ON SCHEMA public TO ${role}; GRANT TRIGGER ON tenants TO ${role}`);
    const found = await checkRole({ ...urls(), url: url.href });
    for (const text of [
      'lacks privileges that a server needs',
      'is allowed to create databases',
      'is allowed to create objects in SCHEMA public',
      'is allowed to create objects in DATABASE',
      'is allowed to truncate tables, or to create triggers or foreign keys',
    ])
      await expectFound(found, 'wrong', text);
    // Runs the SQL statements that the findings state as fixes.
    for (const { fix = '' } of found) if (/^(ALTER|REVOKE) /.test(fix)) await pool.query(fix.replace(/;.*/, ''));
    await grantServer(database.ownerUrl, url.href);
    await expectFound(checkRole({ ...urls(), url: url.href }), 'ok', 'of the servers owns nothing');
    await pool.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
  });

  test('has an older or newer schema, another secret, or a broken index', async () => {
    await expectFound(checkSchema(urls(), claim), 'warning', 'No server has used this database yet.');
    await claimEnvironment(database.url, claim);
    await expectFound(checkSchema(urls(), claim), 'ok', 'The schema matches this version.');
    await expectFound(checkSchema(urls(), { ...claim, secretKey: 'z'.repeat(40) }), 'wrong', 'different SECRET_KEY');
    await expectFound(checkSchema(urls(), { ...claim, environment: 'LIVE' }), 'wrong', 'belongs to a TEST environment');
    await pool.query(`CREATE TABLE twice AS SELECT 1 AS id FROM generate_series(1, 2)`);
    await expect(pool.query('CREATE UNIQUE INDEX CONCURRENTLY broken ON twice (id)')).rejects.toThrow();
    await expectFound(checkSchema(urls(), claim), 'warning', 'The index broken is not valid');
    await pool.query('DROP TABLE twice');
    await pool.query('ALTER TABLE audit_log DISABLE TRIGGER kept_delete');
    const unkept = await checkSchema(urls(), claim);
    await expectFound(unkept, 'wrong', 'The trigger kept_delete of audit_log is disabled');
    for (const { fix = '' } of unkept) await pool.query(fix);
    await expectFound(checkSchema(urls(), claim), 'ok', 'The schema matches this version.');
    const name = `(SELECT max(migration_name) FROM _prisma_migrations)`;
    await pool.query(
      `UPDATE _prisma_migrations SET migration_name = '29990101000000_x' WHERE migration_name = ${name}`,
    );
    await expectFound(checkSchema(urls(), claim), 'wrong', 'belongs to a newer version');
    await pool.query(`DELETE FROM _prisma_migrations WHERE migration_name = '29990101000000_x'`);
    await expectFound(checkSchema(urls(), claim), 'wrong', 'Migrations are missing');
  });

  test.each<[number, Severity, string]>([
    [0, 'ok', 'agree'],
    [-10_000, 'warning', 'differ by'],
    [3_600_000, 'wrong', 'differ by'],
  ])('has a clock that differs by %d ms', async (skew, severity, text) => {
    await expectFound(
      checkClock(urls(), () => Date.now() + skew),
      severity,
      text,
    );
  });

  test('is behind a pooler', async () => {
    const [pooler, old] = await Promise.all([
      startPoolerProxy(database.url),
      startPoolerProxy(database.url, { loseStatements: true }),
    ]);
    const of = (DATABASE_URL: string, DIRECT_DATABASE_URL?: string) =>
      checkPooling(parseSettings({ DATABASE_URL, DIRECT_DATABASE_URL }));
    await expectFound(of(database.url), 'ok', 'directly');
    await expectFound(of(pooler.url), 'wrong', 'Set DIRECT_DATABASE_URL');
    await expectFound(of(pooler.url, pooler.url), 'wrong', 'Set DIRECT_DATABASE_URL');
    await expectFound(of(pooler.url, database.url), 'warning', 'no idle_in_transaction_session_timeout');
    await expectFound(of(old.url, database.url), 'wrong', 'loses prepared statements');
    for (const one of [pooler, old]) await one.stop();
  });
});

/** Starts a server on a free port, runs `work` with this port, and stops the server. */
async function withServer(server: Server, work: (port: number) => Promise<unknown>): Promise<void> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  await work((server.address() as AddressInfo).port);
  await new Promise((resolve) => server.close(resolve));
}

describe('the public origin', () => {
  test('leads to a server of this database, or of another one', async () => {
    const { origin } = server;
    await expectFound(checkOrigin(origin, database.url), 'ok', 'leads to a server that uses this database');
    const other = await createDatabase();
    await expectFound(checkOrigin(origin, other.url), 'wrong', 'the request log of this database does not contain');
    await other.drop();
  });

  test('leads nowhere, or to another program', async () => {
    await expectFound(checkOrigin(`http://127.0.0.1:${await freePort()}`, database.url), 'wrong', 'ECONNREFUSED');
    const other = createHttpServer((_, res) => res.end('welcome'));
    await withServer(other, (port) =>
      expectFound(checkOrigin(`http://127.0.0.1:${port}`, database.url), 'wrong', 'responds with 200'),
    );
  });
});

describe('webhooks', () => {
  const egress = (given: string | undefined, allowLoopback = true) =>
    checkEgress({ databaseUrl: database.url, given, allowLoopback });

  test('need outgoing connections', async () => {
    await expectFound(egress(undefined), 'ok', 'No webhook endpoint is active');
    const receiver = createServer((socket) => socket.on('error', () => {}).resume());
    await withServer(receiver, async (port) => {
      await expectFound(egress(`http://127.0.0.1:${port}/secret`), 'ok', '127.0.0.1 can be opened');
      await expectFound(egress(`http://127.0.0.1:${port}/secret`, false), 'wrong', 'refused_address');
    });
    await expectFound(egress('http://127.0.0.1:1/secret'), 'wrong', 'ECONNREFUSED');
    await expectFound(egress('not a URL'), 'wrong', 'not an http or https URL');
    const closing = createServer((socket) => socket.on('error', () => {}).destroy());
    await withServer(closing, (port) => expectFound(egress(`https://127.0.0.1:${port}`), 'wrong', 'ECONNRESET'));
    const resolve = () => Promise.reject(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }));
    const unknown = { databaseUrl: database.url, given: 'https://partner.example/secret', allowLoopback: false };
    const found = await checkEgress({ ...unknown, resolve });
    await expectFound(found, 'wrong', 'partner.example can be opened (ENOTFOUND)');
    expect(JSON.stringify(found)).not.toContain('/secret');
  });
});

test('npm run doctor prints every finding, and its exit code states whether something is wrong', {
  timeout: 60_000,
}, async () => {
  const DATA_DIR = await freshDataDir();
  const settings = { DATA_DIR, DATABASE_URL: CLOSED, SECRET_KEY: TEST_SECRET, PORT: '99999' };
  const broken = launch({ ...settings, PUBLIC_ORIGIN: 'http://127.0.0.1:1' }, ['doctor']);
  expect(await broken.ended()).toBe(1);
  for (const text of ['PORT must be at most 65535', 'wrong    database', 'ok       disk', 'wrong    origin'])
    expect(broken.output()).toContain(text);
  for (const secret of ['hidden', TEST_SECRET]) expect(broken.output()).not.toContain(secret);
  if (!SOAK) return;
  const good = { DATA_DIR, DATABASE_URL: database.url, PUBLIC_ORIGIN: server.origin };
  const healthy = launch(good, ['doctor']);
  await healthy.ended();
  expect(healthy.output()).toContain('leads to a server that uses this database');
  expect(healthy.output()).toMatch(/^ok {7}clock/m);
});

// The last test, because the log stays full for a minute.
test('after many malformed requests of this address, the origin is not called one of another deployment', async () => {
  const { port } = new URL(server.origin);
  for (let count = 0; count < MAX_REFUSALS; count += 1) {
    const socket = connect(Number(port), 'localhost').end('GARBAGE\r\n\r\n');
    await once(socket.resume(), 'close');
  }
  await expectFound(checkOrigin(server.origin, database.url), 'warning', 'its log of refused requests is full');
});
