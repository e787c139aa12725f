import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPartitions, dropPartition, partitionOf } from '@/lib/activity/request-log/partitions';
import { applyMigrations } from '@/lib/operations/environment/migrations';
import { createDatabase, openPool, type TestDatabase } from '@/tests/support/database';
import { requestIdAt } from '@/tests/support/request-lines';
import { until } from '@/tests/support/until';
import { makeUpgraded, UPGRADE, type Upgraded } from '@/tests/support/upgraded';

/** Timeout of a test in milliseconds. Each test runs the Prisma CLI several times, which is slow on a busy machine. */
const TIMEOUT = 120_000;
const DAY = 86_400_000;
/** A day that no tenant's retention keeps. */
const EXPIRED = new Date(Date.now() - 40 * DAY);

const INDEX = 'request_log_tenant_id_method_request_id_idx';

let database: TestDatabase;
let pool: pg.Pool;
/** The connection with which the tests create and drop partitions, as the retention job does. */
let retention: pg.PoolClient;
/**
 * Two later versions of the system. The version `creates` has a migration that creates the index. The version `drops`
 * has one that drops it.
 */
let creates: Upgraded;
let drops: Upgraded;

beforeAll(async () => {
  database = await createDatabase();
  pool = openPool(database.ownerUrl);
  retention = await pool.connect();
  await createPartitions(retention, new Date());
  await retention.query('SELECT create_request_log_partition($1)', [EXPIRED]);
  creates = await makeUpgraded();
  drops = await makeUpgraded();
});

afterAll(async () => {
  retention.release();
  await pool.end();
  await database.drop();
  await creates.remove();
  await drops.remove();
});

async function insert(): Promise<void> {
  await pool.query(
    `INSERT INTO request_log (request_id, at, method, status, duration_ms) VALUES ($1, now(), 'GET', 404, 1)`,
    [requestIdAt(new Date())],
  );
}

/**
 * Returns whether the index of the parent table is valid. `attached` counts the partitions' indexes that are attached
 * to it, and `built` also counts those that are not attached. `partitions` counts the partitions.
 */
async function indexes() {
  const { rows } = await pool.query<{ valid: boolean; attached: number; built: number; partitions: number }>(
    `SELECT (SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass($1)) AS valid,
       (SELECT count(*)::int FROM pg_inherits WHERE inhparent = to_regclass($1)) AS attached,
       (SELECT count(*)::int FROM pg_indexes WHERE tablename LIKE 'request\\_log\\_%'
          AND indexdef LIKE '%(tenant_id, method, request_id)') AS built,
       (SELECT count(*)::int FROM pg_inherits WHERE inhparent = 'request_log'::regclass) AS partitions`,
    [INDEX],
  );
  return rows[0];
}

/** Evaluates the SQL expression `to` for each index build that waits for a lock. Returns the number of these builds. */
async function builds(to = 'pid'): Promise<number> {
  const { rowCount } = await pool.query(
    `SELECT ${to} FROM pg_stat_activity WHERE query LIKE '% INDEX CONCURRENTLY "request_log%' AND wait_event_type = 'Lock'
       AND datname = current_database()`,
  );
  return rowCount ?? 0;
}

test('an index of the request log is built partition by partition, also after an interruption', {
  timeout: TIMEOUT,
}, async () => {
  await creates.write(`CREATE INDEX CONCURRENTLY "${INDEX}" ON "request_log" ("tenant_id", "method", "request_id");`);
  const migrate = () => applyMigrations(database.ownerUrl, creates.root);
  const today = partitionOf(new Date());
  const writer = new pg.Client({ connectionString: database.ownerUrl });
  // If the test fails, the database is dropped while this connection is open. Without a listener, the resulting
  // error would end the process.
  writer.on('error', () => {});
  await writer.connect();
  await writer.query(`BEGIN; LOCK TABLE ${today} IN ROW EXCLUSIVE MODE`);

  const interrupted = migrate().catch(String);
  await Promise.race([until(builds, (count) => count === 1), interrupted.then((end) => expect(end).toBe('building'))]);
  // While the build waits for `writer`, log entries can be inserted, and partitions of other days can be created and
  // dropped.
  await insert();
  const later = new Date(Date.now() + 5 * DAY);
  expect(await createPartitions(retention, later)).toBe(5);
  expect(await dropPartition(retention, partitionOf(EXPIRED))).toBe(true);
  await builds('pg_terminate_backend(pid)');
  expect(await interrupted).toContain('could not be migrated');
  expect(await indexes()).toMatchObject({ valid: false });

  const second = migrate();
  await until(builds, (count) => count === 1);
  await insert();
  await writer.query('ROLLBACK');
  await writer.end();
  expect(await second).toEqual([UPGRADE]);
  const built = await indexes();
  expect(built?.valid).toBe(true);
  expect(built?.partitions).toBeGreaterThan(12);
  expect([built?.attached, built?.built]).toEqual([built?.partitions, built?.partitions]);
  const { rows } = await pool.query(
    `SELECT count(*)::int AS invalid FROM pg_index WHERE NOT indisvalid AND indrelid = $1::regclass`,
    [today],
  );
  expect(rows).toEqual([{ invalid: 0 }]);
});

test('an index of the request log is dropped with all its partitions', { timeout: TIMEOUT }, async () => {
  // The migrations of `creates` and `drops` have the same name. The database must therefore forget the first one before
  // it can apply the second one.
  await pool.query('DELETE FROM _prisma_migrations WHERE migration_name = $1', [UPGRADE]);
  await drops.write(`DROP INDEX CONCURRENTLY "${INDEX}";`);
  await applyMigrations(database.ownerUrl, drops.root);
  expect(await indexes()).toMatchObject({ valid: null, attached: 0, built: 0 });
});
