import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { applyMigrations } from '@/lib/operations/environment/migrations';
import { createEmptyDatabase, openPool, type TestDatabase } from '@/tests/support/database';
import { requestIdAt } from '@/tests/support/request-lines';
import { until } from '@/tests/support/until';
import { makeUpgraded, UPGRADE, type Upgraded } from '@/tests/support/upgraded';

const BY_DAY = '20261123000000_request_log_by_day';
const HISTORY = '20261123010000_request_log_history';
const DAY = 86_400_000;

let database: TestDatabase;
let pool: pg.Pool;
/** A copy of the migrations without those that partition the request log. */
let before: Upgraded;

/** The migrations that keep the rows of the log, which come after `BY_DAY`. */
const KEPT = [
  '20261128235600_kept_logs',
  '20261129030000_begun_deletions',
  '20261129180000_kept_tenants',
  '20261202150000_bookings_exported',
];

beforeAll(async () => {
  database = await createEmptyDatabase();
  pool = openPool(database.ownerUrl);
  before = await makeUpgraded();
  for (const name of [UPGRADE, BY_DAY, HISTORY, ...KEPT]) {
    await rm(join(before.root, 'prisma', 'migrations', name), { recursive: true });
  }
}, 60_000);

afterAll(async () => {
  await pool.end();
  await database.drop();
  await before.remove();
});

const INSERT = {
  name: 'insert',
  text: `INSERT INTO request_log (request_id, at, method, status, duration_ms) VALUES ($1, $2, 'GET', 404, 1)
    ON CONFLICT (request_id) DO NOTHING`,
};

async function insert(at: Date): Promise<string> {
  const id = requestIdAt(at);
  await pool.query({ ...INSERT, values: [id, at] });
  return id;
}

/**
 * Writes log entries until `stop` is called. `stop` returns the ids of the entries. Two of three entries have a
 * timestamp one or two seconds in the past, like those of slow requests.
 */
function keepWriting() {
  const written: string[] = [];
  let stopped = false;
  const done = (async () => {
    while (!stopped) written.push(await insert(new Date(Date.now() - (written.length % 3) * 1_000)));
    return written;
  })();
  return {
    written,
    stop: () => {
      stopped = true;
      return done;
    },
  };
}

test('the request log is partitioned while the old version writes; every entry is found, old ones by day ranges', {
  timeout: 60_000,
}, async () => {
  await applyMigrations(database.ownerUrl, before.root);
  const now = Date.now();
  const history = [];
  for (const days of [40, 29, 2, 1, 0.001]) history.push(await insert(new Date(now - days * DAY)));
  const ahead = await insert(new Date(now + 3 * DAY));
  const writer = keepWriting();
  await until(
    async () => writer.written.length,
    (count) => count > 100,
  );
  expect(await applyMigrations(database.ownerUrl)).toEqual([BY_DAY, HISTORY, ...KEPT]);
  const seen = writer.written.length;
  await until(
    async () => writer.written.length,
    (count) => count > seen + 100,
  );
  const ids = [...history, ahead, ...(await writer.stop())];
  const { rows } = await pool.query<{ id: string; place: string }>(
    'SELECT request_id AS id, tableoid::regclass::text AS place FROM request_log WHERE request_id = ANY ($1)',
    [ids],
  );
  const places = new Map(rows.map(({ id, place }) => [id, place]));
  expect(ids.filter((id) => !places.has(id))).toEqual([]);
  expect(new Set(history.map((id) => places.get(id)))).toEqual(new Set(['request_log_before']));
  expect(places.get(ahead)).toMatch(/^request_log_\d{8}$/);
  expect(places.get(ids.at(-3) ?? '')).toMatch(/^request_log_\d{8}$/);
  expect([...places.values()]).not.toContain('request_log_default');
});
