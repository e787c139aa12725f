import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { applyMigrations } from '@/lib/operations/environment/migrations';
import { createDatabase, openPool, type TestDatabase } from '@/tests/support/database';
import { until } from '@/tests/support/until';
import { makeUpgraded, UPGRADE, type Upgraded } from '@/tests/support/upgraded';

/** Timeout in milliseconds of a test that runs the Prisma CLI several times on a busy machine. */
const TIMEOUT = 120_000;

let database: TestDatabase;
let pool: pg.Pool;
let upgraded: Upgraded;

beforeAll(async () => {
  database = await createDatabase();
  pool = openPool(database.ownerUrl);
  upgraded = await makeUpgraded();
});

afterAll(async () => {
  await pool.end();
  await database.drop();
  await upgraded.remove();
});

/**
 * Returns the number of statements that are building or dropping the index and are waiting for a transaction. Evaluates
 * the SQL expression `to` for each of them, for example to end their connections.
 */
async function builds(to = 'pid'): Promise<number> {
  const { rowCount } = await pool.query(
    `SELECT ${to} FROM pg_stat_activity WHERE query LIKE '% INDEX CONCURRENTLY "later"%' AND wait_event_type = 'Lock'
       AND datname = current_database()`,
  );
  return rowCount ?? 0;
}

async function isValid(index: string): Promise<boolean | undefined> {
  const { rows } = await pool.query('SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = to_regclass($1)', [
    index,
  ]);
  return rows[0]?.valid;
}

const migrate = (say: (line: string) => void = () => {}) => applyMigrations(database.ownerUrl, upgraded.root, { say });

test('a migration with CONCURRENTLY may contain nothing that needs a transaction', { timeout: TIMEOUT }, async () => {
  await upgraded.write('CREATE INDEX CONCURRENTLY later ON bookings (status); UPDATE tenants SET name = name;');
  await expect(migrate()).rejects.toThrow('only statements that create or drop an index');
  expect(await isValid('later')).toBeUndefined();
});

test('an interrupted build leaves an invalid index, which the next run builds again while another start waits', {
  timeout: TIMEOUT,
}, async () => {
  await upgraded.write(`
    -- Built while requests continue; a comment may contain a semicolon.
    CREATE INDEX CONCURRENTLY "later" ON "bookings" ("status") WHERE "status" = 'confirmed';
    DROP INDEX CONCURRENTLY "bookings_tenant_id_created_at_idx_that_is_gone";`);
  const writer = new pg.Client({ connectionString: database.ownerUrl });
  // If the test fails, the database is dropped while this connection is open. Without a listener, the resulting
  // error would end the process.
  writer.on('error', () => {});
  await writer.connect();
  await writer.query('BEGIN; LOCK TABLE bookings IN ROW EXCLUSIVE MODE');
  const interrupted = migrate().catch(String);
  await Promise.race([until(builds, (count) => count === 1), interrupted.then((end) => expect(end).toBe('building'))]);
  await builds('pg_terminate_backend(pid)');
  expect(await interrupted).toContain('could not be migrated');
  expect(await isValid('later')).toBe(false);

  const said: string[] = [];
  const first = migrate((line) => said.push(line));
  await until(builds, (count) => count === 1);
  const second = migrate((line) => said.push(line));
  await until(
    async () => said.length,
    (lines) => lines === 2,
  );
  await writer.query('ROLLBACK');
  await writer.end();
  expect([await first, await second]).toEqual([[UPGRADE], []]);
  expect(said[0]).toContain(`${UPGRADE} builds indexes while requests continue.`);
  expect(said[1]).toContain('Waiting for a migration, backup, or restore by PostgreSQL process');
  expect(await isValid('later')).toBe(true);
});
