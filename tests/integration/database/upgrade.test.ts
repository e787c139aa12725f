import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { applyMigrations } from '@/lib/operations/environment/migrations';
import { MIGRATION_LOCK } from '@/lib/platform/locks';
import { createDatabase, openPool, type TestDatabase } from '@/tests/support/database';
import { until } from '@/tests/support/until';
import { makeUpgraded, UPGRADE, type Upgraded } from '@/tests/support/upgraded';

const TIMEOUT = 60_000;

let database: TestDatabase;
let pool: pg.Pool;
let upgraded: Upgraded;

beforeAll(async () => {
  database = await createDatabase();
  pool = openPool(database.ownerUrl);
  // Simulates that the migration files changed after they were applied. For example, an edited comment changes the
  // checksum of its file.
  await pool.query(`UPDATE _prisma_migrations SET checksum = 'of an earlier version of the file'`);
  upgraded = await makeUpgraded();
});

afterAll(async () => {
  await pool.end();
  await database.drop();
  await upgraded.remove();
});

async function hasColumn(name: string): Promise<boolean> {
  const { rowCount } = await pool.query('SELECT FROM information_schema.columns WHERE column_name = $1', [name]);
  return rowCount === 1;
}

const failure = () => applyMigrations(database.ownerUrl, upgraded.root).then(() => 'no failure', String);

const failureMessage = (reason: string) =>
  `Error: The database could not be migrated because ${UPGRADE} failed:\n${reason}`;

test('a failed migration is named, is rolled back, and blocks neither version', {
  timeout: TIMEOUT,
}, async () => {
  await upgraded.write('ALTER TABLE bookings ADD COLUMN first text; ALTER TABLE no_such_table ADD COLUMN second text;');
  for (const attempt of [1, 2]) {
    expect(await failure(), `attempt ${attempt}`).toBe(failureMessage('relation "no_such_table" does not exist'));
    expect(await hasColumn('first')).toBe(false);
    expect(await applyMigrations(database.ownerUrl)).toEqual([]);
  }
});

test('a migration that cannot lock its table gives up, so that requests wait at most a few seconds', {
  timeout: TIMEOUT,
}, async () => {
  await upgraded.write('ALTER TABLE bookings ADD COLUMN first text;');
  const reader = await pool.connect();
  await reader.query('BEGIN; LOCK TABLE bookings IN ACCESS SHARE MODE');
  expect(await failure()).toBe(failureMessage('canceling statement due to lock timeout'));
  await reader.query('ROLLBACK');
  reader.release();
  expect(await hasColumn('first')).toBe(false);
});

test('a lock that is never released is announced, and ends the wait with its holder', {
  timeout: TIMEOUT,
}, async () => {
  await upgraded.write('ALTER TABLE bookings ADD COLUMN first text;');
  const leftover = await pool.connect();
  const { rows } = await leftover.query('SELECT pg_backend_pid() AS pid');
  const holder = `PostgreSQL process ${rows[0].pid} (connected from 127.0.0.1)`;
  await leftover.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
  const said: string[] = [];
  const waiting = { say: (line: string) => said.push(line), wait: 100 };
  const refused = applyMigrations(database.ownerUrl, upgraded.root, waiting);
  await expect(refused).rejects.toThrow(`after 100 milliseconds, the migration lock is still held by ${holder}.`);
  await expect(refused).rejects.toThrow(
    `End that connection with SELECT pg_terminate_backend(${rows[0].pid}), then run this command again.`,
  );
  expect(said).toEqual([`Waiting for a migration, backup, or restore by ${holder} …`]);
  await leftover.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK]);
  leftover.release();
  expect(await hasColumn('first')).toBe(false);
});

test('the next start applies a failed migration, after a running backup has ended', {
  timeout: TIMEOUT,
}, async () => {
  const backup = await pool.connect();
  await backup.query('SELECT pg_advisory_lock_shared($1)', [MIGRATION_LOCK]);
  const said: string[] = [];
  const say = (line: string) => said.push(line);
  const starts = Promise.all([1, 2].map(() => applyMigrations(database.ownerUrl, upgraded.root, { say })));
  await until(
    async () => said.length,
    (waiting) => waiting === 2,
  );
  expect(await hasColumn('first')).toBe(false);
  await backup.query('SELECT pg_advisory_unlock_shared($1)', [MIGRATION_LOCK]);
  backup.release();
  // Only one of the two starts applies the migration.
  expect((await starts).flat()).toEqual([UPGRADE]);
  expect(await hasColumn('first')).toBe(true);
});

test('the older version no longer starts, and reports the reason', async () => {
  await expect(applyMigrations(database.ownerUrl)).rejects.toThrow(
    `This database belongs to a newer version, which has added the migration ${UPGRADE}. Use that version.`,
  );
});
