import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hashKey } from '@/lib/access/applications/key-format';
import { reissueCredentials } from '@/lib/operations/sandbox/seed';
import { db } from '@/lib/platform/db';
import { readCredentials } from '@/scripts/start/database';
import { prepareSandbox } from '@/scripts/start/sandbox';
import { writePrivate } from '@/scripts/start/secrets';
import { holdLock } from '@/tests/support/held-lock';
import { freshDataDir, removeDataDirs } from '@/tests/support/launcher';
import { type OwnDatabase, ownDatabase } from '@/tests/support/own-database';
import { bundleProgram } from '@/tests/support/program';
import { SOAK } from '@/tests/support/soak';
import { until } from '@/tests/support/until';

/** Maximum milliseconds until the started process waits for a database lock, even on a busy machine. */
const PATIENCE = 120_000;
const TIMEOUT = 2 * PATIENCE;

/** The key of an advisory lock. */
const AT_COMMIT = 4711;

let database: OwnDatabase;
let dataDir = '';
let file = '';
let pending = '';

beforeAll(async () => {
  database = await ownDatabase();
  dataDir = await freshDataDir();
  await mkdir(dataDir);
  file = join(dataDir, 'credentials.json');
  pending = `${file}.pending`;
});

afterAll(async () => {
  await database.drop();
  await removeDataDirs();
});

const start = () => prepareSandbox({ DATA_DIR: dataDir, PORT: 0 }, false);

/**
 * Takes a lock with the statement `lock`, runs `prepareSandbox` in a separate process, and kills that process while it
 * waits for the lock.
 */
async function killedAt(lock: string): Promise<void> {
  const held = await holdLock(database.url, lock);
  const program = `const { prepareSandbox } = await import('./scripts/start/sandbox.ts');
    await prepareSandbox({ DATA_DIR: ${JSON.stringify(dataDir)}, PORT: 0 }, false);`;
  const child = spawn(process.execPath, [await bundleProgram(program)], { env: process.env, stdio: 'inherit' });
  const exit = once(child, 'exit');
  try {
    await until(held.waiting, (count) => count > 0, PATIENCE);
  } finally {
    child.kill('SIGKILL');
    await exit;
    // PostgreSQL would complete a COMMIT whose client is gone.
    await database.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    await held.release();
  }
}

/** Returns the keys, the passwords, and the number of audit log entries. A start with a filled sandbox changes none. */
async function state(): Promise<unknown[]> {
  const rows = await database.query(`
    SELECT (SELECT jsonb_agg(jsonb_build_array(id, key_hash, revoked_at) ORDER BY id) FROM api_keys) AS keys,
      (SELECT jsonb_agg(jsonb_build_array(id, password_hash) ORDER BY id) FROM users) AS people,
      (SELECT count(*)::int FROM audit_log) AS changes`);
  return rows.rows;
}

const kept = async (): Promise<string> => JSON.parse(await readFile(file, 'utf8')).applications[0].api_key;

/** Asserts that a key in `credentials.json` is valid, and that the file of uncommitted credentials is gone. */
async function expectUsable(): Promise<void> {
  const found = await database.query('SELECT revoked_at FROM api_keys WHERE key_hash = $1', [hashKey(await kept())]);
  expect(found.rows).toEqual([{ revoked_at: null }]);
  expect(existsSync(pending)).toBe(false);
}

test('a start that is killed before its sandbox is committed leaves no tenant, and the next one discards its credentials', {
  timeout: TIMEOUT,
}, async () => {
  await database.query(`
    CREATE FUNCTION wait_at_commit() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      PERFORM pg_advisory_xact_lock(${AT_COMMIT});
      RETURN NULL;
    END $$;
    CREATE CONSTRAINT TRIGGER wait_at_commit AFTER INSERT ON tenants DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW EXECUTE FUNCTION wait_at_commit()`);
  await killedAt(`SELECT pg_advisory_xact_lock(${AT_COMMIT})`);
  await database.query('DROP TRIGGER wait_at_commit ON tenants; DROP FUNCTION wait_at_commit');
  expect((await database.query('SELECT FROM tenants')).rowCount).toBe(0);
  expect(existsSync(file)).toBe(false);
  const lost = readCredentials(pending)?.applications[0]?.api_key;
  expect(lost).toMatch(/^pbk_test_/);
  await start();
  await expectUsable();
  expect(await kept()).not.toBe(lost);
});

if (SOAK) {
  test('a start that is killed in a filled sandbox changes no key and no password', { timeout: TIMEOUT }, async () => {
    const before = [await state(), await kept()];
    await killedAt('LOCK TABLE tenants IN ACCESS EXCLUSIVE MODE');
    await start();
    expect([await state(), await kept()]).toEqual(before);
    await expectUsable();
  });
}

test('a start in a filled sandbox deletes a pending file without credentials, and changes no key', async () => {
  const before = [await state(), await kept()];
  // An earlier version that was killed while it started can have left a pending file without credentials. The next
  // start must delete this file and keep the credentials that are in use.
  await writeFile(pending, '{}');
  await start();
  expect([await state(), await kept()]).toEqual(before);
  await expectUsable();
});

test('credentials that were committed before the kill are restored without a change', async () => {
  const lost = join(dataDir, 'lost.json');
  await rename(file, lost);
  await reissueCredentials(db(), new Date(), (credentials) => {
    writePrivate(pending, { base_url: '', ...credentials });
  });
  const before = await state();
  await start();
  expect(await state()).toEqual(before);
  await expectUsable();
  expect(await readFile(file, 'utf8')).not.toBe(await readFile(lost, 'utf8'));
});
