import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hashKey } from '@/lib/access/applications/key-format';
import { prepareSandbox } from '@/scripts/start/sandbox';
import { openPool } from '@/tests/support/database';
import { freshDataDir, removeDataDirs } from '@/tests/support/launcher';
import { type OwnDatabase, ownDatabase } from '@/tests/support/own-database';
import { bundleProgram } from '@/tests/support/program';
import { repeats } from '@/tests/support/soak';
import { until } from '@/tests/support/until';

/** Number of kills before the first complete seeding, and also the number of kills after it. */
const KILLS = repeats(2, 60);
/** Number of processes that import their modules at the same time. They then seed one after another. */
const BATCH = 2;
/**
 * The earliest and the latest time of a kill, in milliseconds after the seeding begins. Seeding takes 0.6 s, or longer
 * on a busy machine. The logarithm of the time is uniformly distributed, so that half of the kills come in the first
 * 0.3 s.
 */
const [EARLIEST, LATEST] = [50, 2_000];

let database: OwnDatabase;
let observer: pg.Pool;
let settings: { DATA_DIR: string; PORT: number };

beforeAll(async () => {
  database = await ownDatabase();
  observer = openPool(database.url, 1);
  settings = { DATA_DIR: await freshDataDir(), PORT: 0 };
  await mkdir(settings.DATA_DIR);
});

afterAll(async () => {
  await observer.end();
  await database.drop();
  await removeDataDirs();
});

/** Starts a process that seeds the sandbox as soon as it receives a message. */
async function seeder(): Promise<ChildProcess> {
  const program = `const { prepareSandbox } = await import('./scripts/start/sandbox.ts');
    await Promise.all([import('@/lib/operations/sandbox/seed'), import('@/lib/platform/db')]);
    process.once('message', () => prepareSandbox(${JSON.stringify(settings)}, false).then(() => process.exit()));
    process.send('ready');`;
  const child = spawn(process.execPath, [await bundleProgram(program)], {
    env: process.env,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  await once(child, 'message');
  return child;
}

/** Seeds the sandbox in one process after another. Kills each process at a random time, and then calls `check`. */
async function storm(check: () => Promise<void>): Promise<void> {
  for (let kills = 0; kills < KILLS; kills += BATCH) {
    for (const child of await Promise.all(Array.from({ length: BATCH }, seeder))) {
      const exit = once(child, 'exit');
      child.send('begin');
      await Promise.race([delay(EARLIEST * (LATEST / EARLIEST) ** Math.random()), exit]);
      child.kill('SIGKILL');
      await exit;
      // PostgreSQL can still be ending the killed process's transaction.
      await until(connections, (count) => count === 0);
      await check();
    }
  }
}

async function connections(): Promise<number> {
  const { rows } = await observer.query(`SELECT count(*)::int AS count FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = 'partner-booking'`);
  return rows[0].count;
}

/** Returns the API keys and the password hashes in the database, or null if it contains no API key. */
async function credentials(): Promise<object | null> {
  const { rows } = await observer.query(`
    SELECT (SELECT jsonb_agg(jsonb_build_array(id, key_hash, revoked_at) ORDER BY id) FROM api_keys) AS keys,
      (SELECT jsonb_agg(jsonb_build_array(id, password_hash) ORDER BY id) FROM users) AS people`);
  return rows[0].keys && rows[0];
}

/** Finishes the seeding of the sandbox, and asserts that the key in `credentials.json` is valid in the database. */
async function complete(): Promise<void> {
  await prepareSandbox(settings, false);
  const file = join(settings.DATA_DIR, 'credentials.json');
  const [{ api_key: key }] = JSON.parse(await readFile(file, 'utf8')).applications;
  const { rows } = await observer.query('SELECT revoked_at FROM api_keys WHERE key_hash = $1', [hashKey(key)]);
  expect(rows).toEqual([{ revoked_at: null }]);
  expect(existsSync(`${file}.pending`)).toBe(false);
}

test('starts that are killed at any moment of the seeding never change a key or a password', {
  timeout: 1_800_000,
}, async () => {
  let before = await credentials();
  const check = async () => {
    const now = await credentials();
    if (before) expect(now).toEqual(before);
    before = now;
  };
  await storm(check);
  await complete();
  await check();
  await storm(check);
  await complete();
  await check();
});
