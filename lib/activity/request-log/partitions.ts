import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { timeOfId } from '@/lib/platform/ids';
import { PARTITIONS_LOCK } from '@/lib/platform/locks';

const DAY = 86_400_000;

const DAYS_AHEAD = 7;
/** Milliseconds. The wait may be long, because it normally does not block requests. */
const CREATE_LOCK_TIMEOUT = 5_000;
const LOCK_TRIES = 20;
/** Milliseconds. During each try, new queries of the table also wait. */
const LOCK_TIMEOUT = 100;
const LOCK_PAUSE_MS = 400;

/**
 * As a multiple of the first step's duration. Deleting the files of a day with 700,000 entries delays concurrent writes
 * by up to 35 ms. The pauses keep the fraction of delayed writes below 1%.
 */
const PAUSE_FACTOR = 4;
/** Milliseconds between two partitions, so that writes are not delayed more often. */
export const PARTITION_PAUSE = 1_000;

const PREFIX = 'request_log_';

/** Null for the default partition. */
type Partition = { name: string; end: Date | null };

// The upper bound is the beginning of an id, which encodes a time.
const PARTITIONS = `
  SELECT name, substring(bounds FROM 'TO \\(''(\\w+)''\\)') AS to
  FROM (SELECT relname AS name, pg_get_expr(relpartbound, oid) AS bounds FROM pg_inherits JOIN pg_class ON oid = inhrelid
    WHERE inhparent = 'request_log'::regclass) AS partitions ORDER BY 1`;

// The servers' role may not create or drop tables, but may call these functions of the first migration.
const CREATE = 'SELECT create_request_log_partition($1) AS created';
const DETACH = 'SELECT detach_request_log_partition($1) AS detached';
// The caller must hold the partitions' lock. Otherwise, another process could drop an object while the SQL function
// looks up its name.
const DROP_STEP = 'SELECT drop_detached_request_log() AS dropped';
// The conditions are those of `drop_detached_request_log`.
const DETACHED = `
  SELECT EXISTS (SELECT FROM pg_class WHERE relkind = 'r' AND starts_with(relname, '${PREFIX}detached_')
    AND relnamespace = (SELECT relnamespace FROM pg_class WHERE oid = 'request_log'::regclass)) AS detached`;

/** Returns the partitions of the request log. */
export async function listPartitions(client: pg.ClientBase | pg.Pool): Promise<Partition[]> {
  const { rows } = await client.query<{ name: string; to: string | null }>(PARTITIONS);
  return rows.map(({ name, to }) => ({ name, end: to === null ? null : timeOfId(to) }));
}

/** Returns the name of the partition for a UTC day. */
export function partitionOf(day: Date): string {
  return `${PREFIX}${dateOf(day).replaceAll('-', '')}`;
}

function dateOf(day: Date): string {
  return day.toISOString().slice(0, 10);
}

/**
 * Creates the missing partitions for the UTC days from `now` to `DAYS_AHEAD` days later, and returns their number.
 * Several processes may do so. Entries of a day without a partition go to the default partition.
 */
export async function createPartitions(client: pg.ClientBase, now: Date): Promise<number> {
  let created = 0;
  for (const day of await missingDays(client, now, new Date(now.getTime() + DAYS_AHEAD * DAY))) {
    if (await inTransaction(client, () => createPartition(client, day))) created += 1;
  }
  return created;
}

/** Returns the UTC days from `from` to `to` for which the request log has no partition. */
export async function missingDays(client: pg.ClientBase, from: Date, to: Date): Promise<Date[]> {
  const existing = new Set((await listPartitions(client)).map(({ name }) => name));
  const missing: Date[] = [];
  for (let day = Math.floor(from.getTime() / DAY) * DAY; day <= to.getTime(); day += DAY) {
    if (!existing.has(partitionOf(new Date(day)))) missing.push(new Date(day));
  }
  return missing;
}

/** Returns false if it exists, or if the default partition has entries for that day, so that PostgreSQL would refuse it. */
export async function createPartition(client: pg.ClientBase, day: Date): Promise<boolean> {
  await client.query(`SET LOCAL lock_timeout = ${CREATE_LOCK_TIMEOUT}`);
  await client.query(PARTITIONS_LOCK);
  const { rows } = await client.query<{ created: boolean }>(CREATE, [dateOf(day)]);
  return rows[0]?.created ?? false;
}

/**
 * Drops a partition whose retention has ended by the clock of the database, and returns whether it did. Entries with a
 * longer retention move to the default partition, if they are few. Each try to lock the table delays requests by at
 * most 100 ms.
 */
export async function dropPartition(client: pg.ClientBase, name: string): Promise<boolean> {
  for (let tries = 1; tries <= LOCK_TRIES; tries += 1) {
    try {
      const detached = await inTransaction(client, () => detachLocked(client, name));
      await dropDetached(client);
      return detached;
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
    }
    await delay(LOCK_PAUSE_MS);
  }
  return false;
}

async function detachLocked(client: pg.ClientBase, name: string): Promise<boolean> {
  await client.query(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT}`);
  await client.query(PARTITIONS_LOCK);
  const { rows } = await client.query<{ detached: boolean }>(DETACH, [name]);
  return rows[0]?.detached ?? false;
}

/** Drops the detached partitions index by index, with pauses, because deleting all files at once slows down writes. */
export async function dropDetached(client: pg.ClientBase): Promise<void> {
  for (let pause = 0; await isLeft(client); ) {
    await delay(pause);
    const begun = performance.now();
    const dropped = await inTransaction(client, () => dropStep(client));
    if (!dropped) return;
    pause = PAUSE_FACTOR * (performance.now() - begun);
  }
}

async function isLeft(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ detached: boolean }>(DETACHED);
  return rows[0]?.detached ?? false;
}

async function dropStep(client: pg.ClientBase): Promise<boolean> {
  await client.query(PARTITIONS_LOCK);
  const { rows } = await client.query<{ dropped: boolean }>(DROP_STEP);
  return rows[0]?.dropped ?? false;
}

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
