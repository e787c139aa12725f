import { execFile } from 'node:child_process';
import { chown, copyFile, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { EnvironmentError, withClient } from '@/lib/operations/environment/connection';
import { closeDb, pool } from '@/lib/platform/db';
import { SERVER } from '@/lib/platform/postgres/roles';
import { resetSingleton } from '@/lib/platform/singleton';
import { adminUrl, openPool } from '@/tests/support/database';
import { type OwnDatabase, ownDatabase } from '@/tests/support/own-database';
import { hasProgram } from '@/tests/support/programs';
import { startTcpProxy } from '@/tests/support/tcp-proxy';
import { until } from '@/tests/support/until';

let database: OwnDatabase;
let admin: pg.Pool;
let directory = '';

beforeAll(async () => {
  database = await ownDatabase();
  admin = openPool(adminUrl(), 1);
  directory = await mkdtemp(join(tmpdir(), 'connections-'));
});

afterAll(async () => {
  await admin.end();
  await database.drop();
  await rm(directory, { recursive: true });
});

/** Makes this process use the given settings for its database connections. */
async function configure(settings: Record<string, string>): Promise<void> {
  await closeDb();
  for (const name of ['DATABASE_URL', 'DATABASE_URL_FILE']) delete process.env[name];
  Object.assign(process.env, settings);
  resetSingleton('env');
}

afterEach(() => configure({ DATABASE_URL: database.url }));

/** Returns the database's URL with the given hosts, for example `localhost:1`. */
function withHosts(...hosts: string[]): string {
  const { host } = new URL(database.url);
  return database.url.replace(`@${host}/`, `@${hosts.join(',')}/`);
}

const hostOf = (url: string) => new URL(url).host;

const nameOf = (url: string) => pg.escapeIdentifier(new URL(url).pathname.slice(1));

describe('a database URL with several hosts', () => {
  test('leads to the host that responds, and after its failure to another one', async () => {
    const [first, second] = [await startTcpProxy(database.url), await startTcpProxy(database.url)];
    const url = withHosts('127.0.0.1:1', hostOf(first.url), hostOf(second.url));
    await configure({ DATABASE_URL: `${url}?target_session_attrs=read-write` });
    const ask = () => Promise.all(Array.from({ length: 4 }, () => pool().query('SELECT 1')));
    await ask();
    await first.stop();
    await until(
      () => ask().then(Boolean, () => false),
      (succeeded) => succeeded,
    );
    await second.stop();
    await expect(ask()).rejects.toThrow();
  });

  test('never leads to a database that is read-only', async () => {
    const url = withHosts('127.0.0.1:1', hostOf(database.url));
    await admin.query(`ALTER DATABASE ${nameOf(database.url)} SET default_transaction_read_only = on`);
    const refused = withClient(url, async () => undefined);
    await expect(refused).rejects.toThrow(EnvironmentError);
    await expect(refused).rejects.toThrow(
      /^The database cannot be reached: no host accepts writes \(.*ECONNREFUSED.*: read-only\)\.$/,
    );
    await admin.query(`ALTER DATABASE ${nameOf(database.url)} RESET default_transaction_read_only`);
    expect(await withClient(url, async ({ port }) => String(port))).toBe(new URL(database.url).port);
  });
});

test('new connections use a password that was changed in DATABASE_URL_FILE', async () => {
  const role = `changed_${process.pid}`;
  const path = join(directory, 'url');
  const write = (password: string) => {
    const url = new URL(database.url);
    Object.assign(url, { username: role, password });
    return writeFile(path, `${url.href}\n`);
  };
  await admin.query(`CREATE ROLE ${role} LOGIN PASSWORD 'the first one' IN ROLE ${SERVER}`);
  await write('the first one');
  await configure({ DATABASE_URL_FILE: path });
  const who = async () => (await pool().query<{ name: string }>('SELECT current_user AS name')).rows[0]?.name;
  const reconnected = () =>
    until(
      () => who().catch(() => null),
      (name) => name !== null,
    );
  expect(await who()).toBe(role);
  await admin.query(`ALTER ROLE ${role} PASSWORD 'the second one'`);
  await write('the second one');
  await admin.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = $1', [role]);
  expect(await reconnected()).toBe(role);
  // While the file contains no valid URL, new connections use the URL that was read at startup. That URL contains the
  // first password, so the role needs this password again.
  await writeFile(path, 'not a URL');
  await admin.query(`ALTER ROLE ${role} PASSWORD 'the first one'`);
  await admin.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = $1', [role]);
  expect(await reconnected()).toBe(role);
  await configure({ DATABASE_URL: database.url });
  await admin.query(`DROP ROLE ${role}`);
});

/** Creates a self-signed certificate for localhost. Returns the paths of the key and the certificate. */
async function certificate(name: string): Promise<{ key: string; certificate: string }> {
  const [key, path] = [join(directory, `${name}.key`), join(directory, `${name}.crt`)];
  const options = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  await promisify(execFile)('openssl', ['req', '-x509', ...options, ...names, '-keyout', key, '-out', path]);
  return { key, certificate: path };
}

if (hasProgram('openssl', 1, 'the certificates of a database', ['version']))
  test('with sslmode=verify-full, the certificate and the host name of the database are verified', async () => {
    const [own, other] = [await certificate('own'), await certificate('other')];
    const { rows } = await admin.query<{ data_directory: string }>('SHOW data_directory');
    const cluster = rows[0]?.data_directory ?? '';
    const owner = await stat(cluster);
    const files = { ssl_key_file: own.key, ssl_cert_file: own.certificate };
    for (const [setting, source] of Object.entries(files)) {
      const path = join(cluster, setting);
      await copyFile(source, path);
      await chown(path, owner.uid, owner.gid);
      await admin.query(`ALTER SYSTEM SET ${setting} = '${path}'`);
    }
    await admin.query('ALTER SYSTEM SET ssl = on');
    await admin.query('SELECT pg_reload_conf()');
    const connect = (host: string, root: string) =>
      withClient(`${withHosts(...host.split(','))}?sslmode=verify-full&sslrootcert=${root}`, async (client) => {
        const state = await client.query<{ ssl: boolean }>('SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()');
        return state.rows[0]?.ssl;
      });
    const { port } = new URL(database.url);
    const named = `localhost:${port}`;
    // The server applies the changed settings some time after `pg_reload_conf`.
    const encrypted = await until(
      () => connect(named, own.certificate).catch((error: Error) => error.message),
      (result) => result === true,
    );
    expect(encrypted).toBe(true);
    expect(await connect(`127.0.0.1:1,${named}`, own.certificate)).toBe(true);
    for (const [host, root, reason] of [
      [named, other.certificate, /certificate/],
      [`127.0.0.1:${port}`, own.certificate, /does not match certificate's altnames/],
      [named, join(directory, 'missing'), /ENOENT/],
    ] as const) {
      const refused = connect(host, root);
      await expect(refused).rejects.toThrow(EnvironmentError);
      await expect(refused).rejects.toThrow(reason);
    }
    for (const setting of ['ssl', 'ssl_key_file', 'ssl_cert_file']) await admin.query(`ALTER SYSTEM RESET ${setting}`);
    await admin.query('SELECT pg_reload_conf()');
  });
