import { randomUUID } from 'node:crypto';
import { isIPv4 } from 'node:net';
import pg from 'pg';
import { grantServer } from '@/lib/operations/environment/grants';
import { applyMigrations } from '@/lib/operations/environment/migrations';
import { accessTo, OWNER, rolePassword, SERVER } from '@/lib/platform/postgres/roles';

/** Every test database is a copy of this one. */
const TEMPLATE = 'template_partner';

/** With the servers' role, the role that owns the database, and a superuser. */
export type TestUrls = { url: string; ownerUrl: string; adminUrl: string };

/**
 * `drop` ends all connections. The files stay until the end of the run: DROP DATABASE would wait for a checkpoint of the
 * whole server, which takes longer than the copy of the template.
 */
export type TestDatabase = TestUrls & { drop: () => Promise<void> };

/**
 * Tests create and drop databases.
 * @throws Error if the database is on another machine. The message omits the URL, because it may contain a password.
 */
export function assertLocal(url: string): void {
  // The driver prefers the parameter `?host=` to the host in the URL.
  const { host } = new pg.Client({ connectionString: url });
  const local =
    host === 'localhost' || host === '::1' || host.startsWith('/') || (isIPv4(host) && host.startsWith('127.'));
  if (!local) throw new Error('Tests run only against a database on this machine.');
}

/** From the environment variable that the test runner sets. */
export function adminUrl(): string {
  const url = process.env.TEST_DATABASE_URL;
  if (!url) throw new Error('TEST_DATABASE_URL is not set: start the tests with npm test.');
  assertLocal(url);
  return url;
}

/** To change the schema or inspect other connections, which the servers' role cannot. */
export function asSuperuser(url: string): string {
  return withDatabase(adminUrl(), nameOf(url));
}

/** For migrations and restores. */
export function asDatabaseOwner(url: string): string {
  return urlsOf(adminUrl(), nameOf(url)).ownerUrl;
}

/** Called once by the test runner, before any test. */
export async function prepareTemplate(admin: string): Promise<void> {
  assertLocal(admin);
  await asAdmin(admin, async (client) => {
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [TEMPLATE]);
    if (rowCount) await client.query(`ALTER DATABASE ${TEMPLATE} WITH IS_TEMPLATE false`);
    await client.query(`DROP DATABASE IF EXISTS ${TEMPLATE} WITH (FORCE)`);
    await client.query(`CREATE DATABASE ${TEMPLATE} OWNER ${OWNER}`);
    const { url, ownerUrl } = urlsOf(admin, TEMPLATE);
    await applyMigrations(ownerUrl);
    await grantServer(ownerUrl, url);
    // PostgreSQL cannot copy a database that has connections.
    await client.query(`ALTER DATABASE ${TEMPLATE} WITH IS_TEMPLATE true ALLOW_CONNECTIONS false`);
  });
}

/** Migrated, without rows. Safe to call concurrently. */
export async function createDatabase(): Promise<TestDatabase> {
  return create(TEMPLATE);
}

/** For tests of the migrations. */
export async function createEmptyDatabase(): Promise<TestDatabase> {
  return create('template0');
}

/** The caller must end the pool before the database is dropped. */
export function openPool(url: string, max = 4): pg.Pool {
  assertLocal(url);
  const pool = new pg.Pool({ connectionString: url, max, application_name: 'a test' });
  // Fault tests break idle connections. Without a handler, the error event would end the process.
  pool.on('error', () => {});
  return pool;
}

async function create(template: string): Promise<TestDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const admin = adminUrl();
  const quoted = pg.escapeIdentifier(name);
  await asAdmin(admin, async (client) => {
    await client.query(`CREATE DATABASE ${quoted} OWNER ${OWNER} TEMPLATE ${template}`);
    // A copy of the template lacks its privileges on the database itself, such as CONNECT.
    await client.query(accessTo(quoted));
  });
  return {
    ...urlsOf(admin, name),
    drop: () =>
      asAdmin(admin, async (client) => {
        await client.query(`ALTER DATABASE ${quoted} ALLOW_CONNECTIONS false`);
        await client.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [name]);
      }),
  };
}

function urlsOf(admin: string, name: string): TestUrls {
  const url = withDatabase(admin, name);
  const withRole = (role: string) => {
    const changed = new URL(url);
    Object.assign(changed, { username: role, password: rolePassword(decodeURIComponent(changed.password), role) });
    return changed.href;
  };
  return { url: withRole(SERVER), ownerUrl: withRole(OWNER), adminUrl: url };
}

const nameOf = (url: string) => decodeURIComponent(new URL(url).pathname.slice(1));

function withDatabase(url: string, name: string): string {
  const changed = new URL(url);
  changed.pathname = `/${encodeURIComponent(name)}`;
  return changed.href;
}

export async function withSuperuser<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  return asAdmin(asSuperuser(process.env.DATABASE_URL ?? ''), work);
}

async function asAdmin<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
