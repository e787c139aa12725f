import { randomUUID } from 'node:crypto';
import { isIPv4 } from 'node:net';
import pg from 'pg';
import { applyMigrations } from '@/lib/operations/environment/migrations';

/** The name of the template database. It is migrated, and every test database is a copy of it. */
const TEMPLATE = 'template_partner';

/** A database for one test file. */
export type TestDatabase = { url: string; drop: () => Promise<void> };

/**
 * Refuses a database on another machine, because tests create and drop databases.
 * @throws Error if the database is on another machine. The message omits the URL, because it may contain a password.
 */
export function assertLocal(url: string): void {
  // The driver parses the URL, because the parameter `?host=` overrides the host.
  const { host } = new pg.Client({ connectionString: url });
  const local =
    host === 'localhost' || host === '::1' || host.startsWith('/') || (isIPv4(host) && host.startsWith('127.'));
  if (!local) throw new Error('Tests run only against a database on this machine.');
}

/** Returns the administrator's URL of the test database server, which the test runner sets. */
export function adminUrl(): string {
  const url = process.env.TEST_DATABASE_URL;
  if (!url) throw new Error('TEST_DATABASE_URL is not set: start the tests with npm test.');
  assertLocal(url);
  return url;
}

/** Recreates the migrated template. Called once by the test runner, before any test. */
export async function prepareTemplate(admin: string): Promise<void> {
  assertLocal(admin);
  await asAdmin(admin, async (client) => {
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [TEMPLATE]);
    if (rowCount) await client.query(`ALTER DATABASE ${TEMPLATE} WITH IS_TEMPLATE false`);
    await client.query(`DROP DATABASE IF EXISTS ${TEMPLATE} WITH (FORCE)`);
    await client.query(`CREATE DATABASE ${TEMPLATE}`);
    await applyMigrations(withDatabase(admin, TEMPLATE));
    // PostgreSQL cannot copy a database that has connections.
    await client.query(`ALTER DATABASE ${TEMPLATE} WITH IS_TEMPLATE true ALLOW_CONNECTIONS false`);
  });
}

/** Creates a migrated database without rows. Safe to call concurrently. */
export async function createDatabase(name?: string): Promise<TestDatabase> {
  return create(name, TEMPLATE);
}

/** Creates an empty database, for tests of the migrations. */
export async function createEmptyDatabase(name?: string): Promise<TestDatabase> {
  return create(name, 'template0');
}

/** Opens a small pool on a test database. The caller must end it before the database is dropped. */
export function openPool(url: string, max = 4): pg.Pool {
  assertLocal(url);
  const pool = new pg.Pool({ connectionString: url, max });
  // Fault tests break idle connections. Without a handler, the error event would end the process.
  pool.on('error', () => {});
  return pool;
}

async function create(name = `test_${randomUUID().replaceAll('-', '')}`, template: string): Promise<TestDatabase> {
  const admin = adminUrl();
  const quoted = pg.escapeIdentifier(name);
  await asAdmin(admin, (client) => client.query(`CREATE DATABASE ${quoted} TEMPLATE ${template}`));
  return {
    url: withDatabase(admin, name),
    drop: () => asAdmin(admin, (client) => client.query(`DROP DATABASE IF EXISTS ${quoted} WITH (FORCE)`)),
  };
}

function withDatabase(url: string, name: string): string {
  const changed = new URL(url);
  changed.pathname = `/${encodeURIComponent(name)}`;
  return changed.href;
}

async function asAdmin(url: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
