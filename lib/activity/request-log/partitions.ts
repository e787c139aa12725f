import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { idBound, timeOfId } from '@/lib/platform/ids';
import { PARTITIONS_LOCK } from '@/lib/platform/locks';

const DAY = 86_400_000;

/** Number of future days for which partitions are created. */
const DAYS_AHEAD = 7;
/**
 * Maximum milliseconds to wait for the locks that are needed to create a partition. Requests normally do not wait for
 * these locks, so the timeout can be long.
 */
const CREATE_LOCK_TIMEOUT = 5_000;
/**
 * Limits for locking the table to drop a partition: the maximum number of attempts, the maximum milliseconds that one
 * attempt may delay requests, and the milliseconds between two attempts.
 */
const LOCK_TRIES = 20;
const LOCK_TIMEOUT = 100;
const LOCK_PAUSE = 400;

/**
 * Dropping a partition takes several steps. After each step, there is a pause that lasts this many times as long as the
 * step. Deleting the files of a day with 700,000 entries delays writes by up to 35 ms. With this factor, fewer than one
 * in 100 concurrent writes is delayed.
 */
const PAUSE_FACTOR = 4;

/** The prefix of the names of partitions. A partition that is detached gets a name with `DETACHED_PREFIX`. */
const PREFIX = 'request_log_';
const DETACHED_PREFIX = 'request_log_detached_';

/**
 * A partition of the request log. `end` is the time of the partition's upper bound, or null for the default partition.
 */
export type Partition = { name: string; end: Date | null };

const PARTITIONS = `
  SELECT c.relname AS name, substring(pg_get_expr(c.relpartbound, c.oid) FROM 'TO \\(''(\\w+)''\\)') AS upper
  FROM pg_inherits JOIN pg_class c ON c.oid = inhrelid WHERE inhparent = 'request_log'::regclass ORDER BY 1`;

// Returns the next statement that drops a part of the detached partitions: first their indexes, then their primary
// keys, then the tables. Must run under the partitions' lock. Otherwise, another process could drop an object while
// this query runs. PostgreSQL would then return a number instead of the object's name, and the statement would be
// invalid.
const DROP_STEP = `
  WITH detached AS (
    SELECT oid, oid::regclass AS name FROM pg_class WHERE relkind = 'r' AND starts_with(relname, '${DETACHED_PREFIX}')
      AND relnamespace = (SELECT relnamespace FROM pg_class WHERE oid = 'request_log'::regclass))
  SELECT format('DROP INDEX %s', indexrelid::regclass) AS step, 1 AS place
    FROM detached JOIN pg_index ON indrelid = oid WHERE NOT indisprimary
  UNION ALL SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', name, conname), 2
    FROM detached JOIN pg_constraint ON conrelid = detached.oid WHERE contype = 'p'
  UNION ALL SELECT format('DROP TABLE %s', name), 3 FROM detached
  ORDER BY place LIMIT 1`;

/** Returns the partitions of the request log. */
export async function listPartitions(client: pg.ClientBase | pg.Pool): Promise<Partition[]> {
  const { rows } = await client.query<{ name: string; upper: string | null }>(PARTITIONS);
  return rows.map(({ name, upper }) => ({ name, end: upper === null ? null : timeOfId(upper) }));
}

/** Returns the name of the partition for a UTC day. */
export function partitionOf(day: Date): string {
  return `${PREFIX}${day.toISOString().slice(0, 10).replaceAll('-', '')}`;
}

/**
 * Creates the missing partitions for the UTC days from `now` to seven days later. Returns the number of partitions
 * created. Several processes may call this function concurrently. If a day has no partition, its entries are stored in
 * the default partition.
 */
export async function createPartitions(client: pg.ClientBase, now: Date): Promise<number> {
  let created = 0;
  for (const day of await missingDays(client, now, new Date(now.getTime() + DAYS_AHEAD * DAY))) {
    if (await inTransaction(client, () => createPartition(client, day))) created += 1;
  }
  return created;
}

/** Returns the UTC days between two times for which no partition exists. */
export async function missingDays(client: pg.ClientBase, from: Date, to: Date): Promise<Date[]> {
  const existing = new Set((await listPartitions(client)).map(({ name }) => name));
  const missing: Date[] = [];
  for (let day = Math.floor(from.getTime() / DAY) * DAY; day <= to.getTime(); day += DAY) {
    if (!existing.has(partitionOf(new Date(day)))) missing.push(new Date(day));
  }
  return missing;
}

/**
 * Creates the partition for a UTC day. The caller must have begun a transaction. Returns false if the partition already
 * exists or if the default partition has entries for that day. If the default partition has such entries, no partition
 * is created, because attaching one would make concurrent inserts for that day fail.
 */
export async function createPartition(client: pg.ClientBase, day: Date): Promise<boolean> {
  await client.query(`SET LOCAL lock_timeout = ${CREATE_LOCK_TIMEOUT}`);
  await client.query(PARTITIONS_LOCK);
  const name = partitionOf(day);
  const [lower, upper] = [day, new Date(day.getTime() + DAY)].map((bound) => `'${idBound('req', bound)}'`);
  const { rows } = await client.query<{ taken: boolean }>(
    `SELECT to_regclass($1) IS NOT NULL
       OR EXISTS (SELECT FROM request_log_default WHERE request_id >= ${lower} AND request_id < ${upper}) AS taken`,
    [name],
  );
  if (rows[0]?.taken) return false;
  // The table is created separately and then attached, because `CREATE TABLE … PARTITION OF` would block every request
  // until the transaction ends.
  await client.query(
    `CREATE TABLE ${name} (LIKE request_log INCLUDING ALL) WITH (autovacuum_vacuum_insert_scale_factor = 0.02)`,
  );
  await client.query(`ALTER TABLE request_log ATTACH PARTITION ${name} FOR VALUES FROM (${lower}) TO (${upper})`);
  return true;
}

/**
 * Drops a partition. Each attempt to lock the table delays requests by at most 100 ms. Returns false if every attempt
 * failed.
 * @param kept the entries to keep. They are inserted into the default partition.
 */
export async function dropPartition(client: pg.ClientBase, name: string, kept: object[] = []): Promise<boolean> {
  for (let tries = 1; tries <= LOCK_TRIES; tries += 1) {
    try {
      await inTransaction(client, () => detachLocked(client, name, kept));
      await dropDetached(client);
      return true;
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
    }
    await delay(LOCK_PAUSE);
  }
  return false;
}

/**
 * Detaches and renames a partition, and inserts the entries to keep into the default partition. Does nothing if another
 * process has already detached the partition.
 */
async function detachLocked(client: pg.ClientBase, name: string, kept: object[]): Promise<void> {
  await client.query(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT}`);
  await client.query(PARTITIONS_LOCK);
  const attached = (await listPartitions(client)).some((partition) => partition.name === name);
  if (!attached) return;
  await client.query(`ALTER TABLE request_log DETACH PARTITION ${name}`);
  await client.query(`ALTER TABLE ${name} RENAME TO ${name.replace(PREFIX, DETACHED_PREFIX)}`);
  if (kept.length === 0) return;
  const rows = 'json_populate_recordset(NULL::request_log, $1::json)';
  await client.query(`INSERT INTO request_log SELECT * FROM ${rows} ON CONFLICT DO NOTHING`, [JSON.stringify(kept)]);
}

/**
 * Drops the detached partitions, including those that an interrupted call left behind. Deleting all files of a day in
 * one step would slow down concurrent writes until all files are deleted. Each index is therefore dropped separately,
 * and each step is followed by a pause that is longer than the step.
 */
export async function dropDetached(client: pg.ClientBase): Promise<void> {
  for (let left = true; left; ) {
    const begun = performance.now();
    left = await inTransaction(client, async () => {
      await client.query(PARTITIONS_LOCK);
      const { rows } = await client.query<{ step: string }>(DROP_STEP);
      for (const { step } of rows) await client.query(step);
      return rows.length > 0;
    });
    if (left) await delay(PAUSE_FACTOR * (performance.now() - begun));
  }
}

/** Returns whether PostgreSQL reported a lock timeout (lock_not_available) or a deadlock (deadlock_detected). */
function isLockTimeout(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === '55P03' || error.code === '40P01');
}

async function inTransaction<T>(client: pg.ClientBase, work: () => Promise<T>): Promise<T> {
  await client.query('BEGIN');
  try {
    const result = await work();
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  }
}
