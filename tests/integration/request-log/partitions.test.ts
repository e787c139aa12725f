import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createPartition,
  createPartitions,
  dropDetached,
  dropPartition,
  listPartitions,
  missingDays,
  PARTITION_PAUSE,
  partitionOf,
} from '@/lib/activity/request-log/partitions';
import { prune } from '@/lib/operations/retention/prune';
import { makeTenant } from '@/tests/support/factories';
import { holdLock } from '@/tests/support/held-lock';
import { type OwnDatabase, ownDatabase } from '@/tests/support/own-database';
import { writeLines } from '@/tests/support/request-lines';
import { setLogDays } from '@/tests/support/retention';
import { until } from '@/tests/support/until';

// The file has its own database, because all tenants share the partitions.
let database: OwnDatabase;
let clients: pg.PoolClient[];

beforeAll(async () => {
  database = await ownDatabase();
  const { pool } = await import('@/lib/platform/db');
  clients = await Promise.all([1, 2, 3].map(() => pool().connect()));
});

afterAll(async () => {
  for (const client of clients) client.release();
  await database.drop();
});

const DAY = 86_400_000;
const now = new Date();
const ago = (days: number) => new Date(now.getTime() - days * DAY);

const first = () => {
  const [client] = clients;
  if (!client) throw new Error('no connection');
  return client;
};

/** Creates the partitions for the days from `from` to `to`. */
async function createDays(from: Date, to: Date): Promise<void> {
  for (const day of await missingDays(first(), from, to)) {
    await first().query('BEGIN');
    await createPartition(first(), day);
    await first().query('COMMIT');
  }
}

const write = async (at: Date, part: Parameters<typeof writeLines>[0][number] = {}) => {
  const [line] = await writeLines([{ at: at.toISOString(), ...part }]);
  return line?.request_id ?? '';
};

/** Returns the name of the partition that contains an entry, or null if there is no such entry. */
async function placeOf(id: string): Promise<string | null> {
  const { rows } = await database.query(
    'SELECT tableoid::regclass::text AS name FROM request_log WHERE request_id = $1',
    [id],
  );
  expect(rows.length).toBeLessThanOrEqual(1);
  return rows[0]?.name ?? null;
}

const names = async () => (await listPartitions(first())).map(({ name }) => name);

test('the migrations create today and a week ahead; an entry of such a day is in its partition', async () => {
  const days = Array.from({ length: 7 }, (_, n) => partitionOf(ago(-n)));
  expect(await names()).toEqual(expect.arrayContaining(days));
  expect(await placeOf(await write(now))).toBe(partitionOf(now));
});

test('an entry of a day without a partition is stored all the same, and stays one entry when the others are created', async () => {
  const at = ago(-20);
  const id = await write(at);
  expect(await placeOf(id)).toBe('request_log_default');
  const created = await Promise.all(clients.map((client) => createPartitions(client, ago(-14))));
  // Of the eight days from 14 to 21 days ahead, seven get a partition. The day of the entry gets none, because the
  // entry is in the default partition.
  expect(created.reduce((sum, count) => sum + count, 0)).toBe(7);
  expect(await createPartitions(first(), ago(-14))).toBe(0);
  expect(await placeOf(id)).toBe('request_log_default');
  await write(at, { request_id: id });
  expect(await placeOf(id)).toBe('request_log_default');
  expect(await placeOf(await write(ago(-19)))).toBe(partitionOf(ago(-19)));
});

test('retention drops whole days, and keeps the few entries of a day with a longer retention', async () => {
  const tenant = await makeTenant();
  const known = { tenant_id: tenant.id, application_id: 'app_01jgfjjzz8e008000000000001' };
  for (const days of [5, 9, 29, 33]) await createDays(ago(days), ago(days));
  await setLogDays(tenant.id, 7);
  const [expired, unknown, old, kept] = [
    await write(ago(9), known),
    await write(ago(9), { code: 'invalid_api_key', status: 401 }),
    await write(ago(33)),
    await write(ago(5), known),
  ];
  expect(await placeOf(old)).toBe(partitionOf(ago(33)));
  const begun = performance.now();
  const pruned = await prune(now);
  expect(pruned.request_log_days).toBeGreaterThanOrEqual(2);
  expect(performance.now() - begun).toBeGreaterThan((pruned.request_log_days - 1) * PARTITION_PAUSE - 100);
  expect(pruned.request_lines).toBe(0);
  const places = await Promise.all([expired, unknown, old, kept].map(placeOf));
  expect(places).toEqual([null, 'request_log_default', null, partitionOf(ago(5))]);
  expect(await names()).not.toContain(partitionOf(ago(9)));
  // An entry without a tenant is kept for 30 days, whatever the caller's clock says: the database has its own.
  await expect(prune(ago(-23))).rejects.toMatchObject({ code: '42501' });
  expect(await placeOf(unknown)).not.toBeNull();
});

test('a partition is dropped when its readers have ended, and a write meanwhile waits only for an attempt', async () => {
  const day = ago(50);
  await createDays(day, day);
  const [, reader] = clients;
  await reader?.query('BEGIN; SELECT count(*) FROM request_log');
  const dropping = dropPartition(first(), partitionOf(day));
  await until(
    async () =>
      (await database.query(`SELECT FROM pg_locks WHERE NOT granted AND mode = 'AccessExclusiveLock'`)).rowCount,
    (waiting) => waiting === 1,
  );
  // The attempt to drop the partition waits for the reader, and the write waits for the attempt. The attempt has a
  // timeout, so the write does not need to wait for the reader.
  expect(await placeOf(await write(now))).not.toBeNull();
  await reader?.query('COMMIT');
  expect(await dropping).toBe(true);
  expect(await names()).not.toContain(partitionOf(day));
});

test('retention continues when another process drops a partition that it is about to read', async () => {
  const day = ago(12);
  await createDays(day, day);
  const other = await holdLock(database.url, `ALTER TABLE request_log DETACH PARTITION ${partitionOf(day)}`);
  const pruning = prune(now);
  await other.untilWaiting();
  await other.query(`ALTER TABLE ${partitionOf(day)} RENAME TO request_log_detached_20200102`);
  await other.query('COMMIT');
  expect(await pruning).toMatchObject({ more: false });
  await other.release();
});

test('the next run drops what an interrupted one left, but no table that somebody else detached', async () => {
  const [left, archived] = [ago(60), ago(61)];
  for (const day of [left, archived]) await createDays(day, day);
  const detach = (day: Date) => database.query(`ALTER TABLE request_log DETACH PARTITION ${partitionOf(day)}`);
  await detach(left);
  await database.query(`ALTER TABLE ${partitionOf(left)} RENAME TO request_log_detached_20200101`);
  await detach(archived);
  await prune(now);
  const { rows } = await database.query(
    `SELECT relname AS name FROM pg_class WHERE relname LIKE 'request\\_log\\_%' AND relkind = 'r' AND NOT relispartition`,
  );
  expect(rows.map(({ name }) => name)).toEqual([partitionOf(archived)]);
  await database.query(`DROP TABLE ${partitionOf(archived)}`);
});

/** Drops a detached table while another transaction reads it for half a second. Returns the milliseconds after that. */
async function dropBesideReader(columns: string): Promise<number> {
  const name = 'request_log_detached_20200103';
  const { rows } = await database.query(`SELECT tableowner AS owner FROM pg_tables WHERE tablename = 'request_log'`);
  await database.query(`CREATE TABLE ${name} (${columns}); ALTER TABLE ${name} OWNER TO ${rows[0]?.owner}`);
  const reader = await holdLock(database.url, `SELECT FROM ${name}`);
  const dropping = dropDetached(first());
  await reader.untilWaiting(1, 0.5);
  await reader.release();
  const begun = performance.now();
  await dropping;
  expect((await database.query('SELECT to_regclass($1) AS found', [name])).rows).toEqual([{ found: null }]);
  return performance.now() - begun;
}

test('between two steps of dropping a partition is a pause of four times the first step, and none after the last', async () => {
  expect(await dropBesideReader('id int PRIMARY KEY')).toBeGreaterThan(1_500);
  expect(await dropBesideReader('id int')).toBeLessThan(1_500);
});
