import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encode } from 'next-auth/jwt';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cookieName } from '@/lib/access/owners/cookies';
import { writeBackup } from '@/lib/operations/backup/dump';
import { describeSecrets } from '@/lib/operations/backup/file';
import { verifyBackup } from '@/lib/operations/backup/load';
import { claimEnvironment, secretsFingerprint } from '@/lib/operations/environment/claim';
import { rotateSecret } from '@/lib/operations/rotation/rotate';
import { closeDb, pool } from '@/lib/platform/db';
import { callProcedure } from '@/tests/support/control-center';
import { createDatabase, type TestDatabase } from '@/tests/support/database';
import { beginFile } from '@/tests/support/fresh-process';
import { startServer, TEST_SECRET, type TestServer } from '@/tests/support/server';
import { startTcpProxy, type TcpProxy } from '@/tests/support/tcp-proxy';
import { until } from '@/tests/support/until';

// The tests run in order, on a server with only the old secret.

const [OLD, NEW, OTHER] = [TEST_SECRET, 'n'.repeat(32), 'x'.repeat(32)];
const environment = 'TEST';
const both = { environment, secretKey: NEW, previousKey: OLD } as const;
const { signal } = new AbortController();

let database: TestDatabase;
let directory = '';
/** The proxy for the server's LISTEN connection. */
let proxy: TcpProxy;
let server: TestServer;

const rotate = (secretKey: string, previousKey?: string) =>
  rotateSecret(database.url, { environment, secretKey, previousKey }, { say: () => {}, signal, settle: 0 });
const start = (secretKey: string, previousKey?: string) =>
  claimEnvironment(database.url, { environment, secretKey, previousKey });
const fingerprint = (secretKey: string | null) => secretKey && secretsFingerprint({ environment, secretKey });
const health = async () => (await fetch(`${server.origin}/api/health`)).status;
const timesLogged = (text: string) => server.errors().split(text).length - 1;

/** Stores the fingerprints of the given secrets in the database, as a rotation does. */
async function setState(current: string, previous: string | null, replaced: string | null): Promise<void> {
  const sql = 'UPDATE environment SET secrets_fingerprint = $1, previous_fingerprint = $2, replaced_fingerprint = $3';
  await pool().query(sql, [current, previous, replaced].map(fingerprint));
}

/**
 * Waits until the server's LISTEN connection is open. Its name tells the rotation which secrets the server has. On a
 * busy machine, the server may have lost this connection and not yet opened a new one.
 */
async function announced(): Promise<void> {
  const sql = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE '% listener'`;
  await until(
    async () => (await pool().query(sql)).rowCount,
    (count) => count === 1,
  );
}

async function states(): Promise<unknown[]> {
  const sql = 'SELECT secrets_fingerprint AS current, previous_fingerprint AS previous FROM environment';
  return (await pool().query(sql)).rows;
}

beforeAll(async () => {
  database = await createDatabase();
  directory = await mkdtemp(join(tmpdir(), 'rotation-'));
  beginFile({ ENVIRONMENT: 'TEST', LOG_LEVEL: 'silent', DATABASE_URL: database.url, SECRET_KEY: OLD });
  await start(OLD);
  proxy = await startTcpProxy(database.url);
  const env = { LOG_LEVEL: 'info', DIRECT_DATABASE_URL: proxy.url };
  server = await startServer({ databaseUrl: database.url, env });
  await until(health, (status) => status === 200);
});

afterAll(async () => {
  await server?.stop();
  await proxy?.stop();
  await closeDb();
  await database.drop();
  await rm(directory, { recursive: true });
});

test('without a previous secret, or with swapped secrets, the command refuses', async () => {
  await expect(rotate(OLD)).rejects.toThrow('SECRET_KEY_PREVIOUS is not set, so there is nothing to rotate. Set ');
  await expect(rotate(OLD, NEW)).rejects.toThrow(
    'Nothing was rotated. The database is already encrypted with SECRET_KEY',
  );
});

test('a rotation neither begins nor continues while a running server lacks one of its secrets', async () => {
  const refusal =
    /^At least one server process does not have both keys of this command \(processes: 1, connected from \S+\)\. Restart every server with /;
  await announced();
  await expect(rotate(NEW, OLD)).rejects.toThrow(refusal);
  expect(await states()).toEqual([{ current: fingerprint(OLD), previous: null }]);
  await until(health, (status) => status === 200);
  await setState(NEW, OLD, null);
  await announced();
  await expect(rotate(NEW, OLD)).rejects.toThrow(refusal);
  expect(await states()).toEqual([{ current: fingerprint(NEW), previous: fingerprint(OLD) }]);
});

test('a server that lacks a secret of a rotation is unhealthy, and logs once what to do', async () => {
  await until(health, (status) => status === 503);
  const text = 'Restart the server with the new key as SECRET_KEY and the old key as SECRET_KEY_PREVIOUS.';
  await until(
    async () => timesLogged(text),
    (times) => times > 0,
  );
  // After the rotation has ended, the server logs a different instruction, and must not log `text` again.
  await setState(NEW, null, OLD);
  await until(
    async () => timesLogged('Restart this server with the new SECRET_KEY.'),
    (times) => times > 0,
  );
  expect(timesLogged(text)).toBe(1);
  expect(await health()).toBe(503);
  await expect(start(OLD)).rejects.toThrow('SECRET_KEY was rotated. Set SECRET_KEY to the new key.');
});

test('another rotation is refused with the right instruction while one is open', async () => {
  await setState(NEW, OLD, null);
  const instruction =
    /^An earlier rotation of SECRET_KEY is not complete, and one of its two keys is not set\. Complete that rotation first: /;
  await expect(rotate(OTHER, NEW)).rejects.toThrow(instruction);
  await expect(rotate(OTHER, OLD)).rejects.toThrow(instruction);
});

test('a backup made during a rotation says that it needs both secrets, and cannot be restored with one', async () => {
  const path = join(directory, 'during.gz');
  const { rotating } = await writeBackup(database.url, path, both, signal);
  expect(describeSecrets(null, rotating)).toContain('requires both SECRET_KEY and SECRET_KEY_PREVIOUS');
  await expect(verifyBackup(path, both)).resolves.toBeUndefined();
  for (const secretKey of [NEW, OLD])
    await expect(verifyBackup(path, { environment, secretKey })).rejects.toThrow(
      'This backup was made during a rotation of SECRET_KEY and needs both keys: set SECRET_KEY to the new key',
    );
});

test('a server that has the secrets of the database again is healthy', async () => {
  await setState(OLD, null, null);
  await until(health, (status) => status === 200);
});

test('a session cookie of an earlier secret is logged in one line, without an error', async () => {
  const token = await encode({ secret: OTHER, token: { sub: 'ses_1' } });
  const cookie = `${cookieName('session')}=${token}`;
  expect((await callProcedure('session.me', { origin: server.origin, cookie, type: 'query' })).status).toBe(401);
  await until(
    async () => timesLogged('refused a session cookie'),
    (times) => times > 0,
  );
  expect(server.errors()).not.toMatch(/JWT_SESSION_ERROR|decryption/i);
});

test('a server without its polling connection learns of a rotation on the pool', async () => {
  const text = 'Restart this server with the new SECRET_KEY.';
  const before = timesLogged(text);
  proxy.hang();
  await setState(NEW, null, OLD);
  await until(
    async () => timesLogged(text),
    (times) => times === before + 1,
  );
});
