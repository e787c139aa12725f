import pg from 'pg';
import { partitionOf } from '@/lib/activity/request-log/partitions';
import { applyMigrations } from '@/lib/operations/environment/migrations';
import { idBound, newId } from '@/lib/platform/ids';
import { idDigits } from './request-log';
import { sized } from './size';
import type { Stage } from './stage';

/** Number of entries in the full log. BENCH_LINES overrides it. */
export const FULL_LINES = Number(process.env.BENCH_LINES ?? sized(20_000_000, 100_000));

const DAY = 86_400_000;
/** Number of days whose entries the full log contains. The last of these days is yesterday. */
const DAYS = 29;
/** Number of days whose entries are inserted in parallel. */
const WRITERS = 2;

/**
 * A full and an empty request log in two databases of one server. `days` lists the names of the full log's
 * partitions, oldest first.
 */
export type Logs = { full: pg.Pool; empty: pg.Pool; days: string[] };

let pending: Promise<Logs> | null = null;

/** Returns the full and the empty request log. The first call creates them. */
export function openLogs(stage: Stage): Promise<Logs> {
  pending ??= create(stage);
  return pending;
}

async function create(stage: Stage): Promise<Logs> {
  stage.log(`Filling a request log with ${FULL_LINES.toLocaleString('en')} entries (a minute per 2 million) …`);
  const empty = await database(stage, 'empty_log');
  const full = await database(stage, 'full_log', 'empty_log');
  const today = Math.floor(Date.now() / DAY) * DAY;
  const days = Array.from({ length: DAYS }, (_, n) => new Date(today - (DAYS - n) * DAY));
  const left = [...days];
  const writer = async () => {
    for (let day = left.shift(); day; day = left.shift()) await fillDay(full, day);
  };
  await Promise.all(Array.from({ length: WRITERS }, writer));
  await full.query('VACUUM (ANALYZE) request_log');
  await full.query('CHECKPOINT');
  return { full, empty, days: days.map(partitionOf) };
}

/**
 * Creates a database with all migrations. If `template` is given, creates a copy of that database instead. The template
 * must have no connections.
 */
async function database({ databaseUrl }: Stage, name: string, template?: string): Promise<pg.Pool> {
  const admin = new pg.Client({ connectionString: databaseUrl });
  await admin.connect();
  await admin.query(`CREATE DATABASE ${name} ${template ? `TEMPLATE ${template}` : ''}`);
  await admin.end();
  const url = new URL(databaseUrl);
  url.pathname = `/${name}`;
  if (!template) await applyMigrations(url.href);
  const pool = new pg.Pool({ connectionString: url.href, max: 8 });
  // When the database server stops at the end of a run, this pool's idle connections break. Without this listener, the
  // resulting error would end the process.
  pool.on('error', () => {});
  return pool;
}

// Inserts the log entries of one day. All of them are for reads by the same partner. One in 20 reads is refused with a
// 400.
const FILL = `
  INSERT INTO request_log_filling_DAY (request_id, at, tenant_id, application_id, key_id, method, route, path, status, code,
    duration_ms, address, user_agent)
  SELECT 'req_' || ${idDigits('ms')} || left(md5(n::text), 16), to_timestamp(ms / 1000.0), $3, $4, $5, 'GET', route, route,
    CASE WHEN n % 20 = 0 THEN 400 ELSE 200 END, CASE WHEN n % 20 = 0 THEN 'invalid_request' END, 1.5, '127.0.0.1', 'bench'
  FROM generate_series(1, $2::bigint) n
    CROSS JOIN LATERAL (SELECT $1::bigint + n * 86400000 / ($2::bigint + 1),
      '/api/partner/v1/' || CASE WHEN n % 10 = 1 THEN 'availability' ELSE 'catalog' END) AS of(ms, route)`;

/**
 * Fills a new table with a day's entries, and then attaches the table as a partition. The table gets its indexes only
 * when it is attached, because filling a table without indexes is several times faster.
 */
async function fillDay(pool: pg.Pool, day: Date): Promise<void> {
  const client = await pool.connect();
  try {
    const [name, lower, upper] = [partitionOf(day), idBound('req', day), idBound('req', new Date(day.getTime() + DAY))];
    await client.query(`CREATE TABLE ${name} (LIKE request_log INCLUDING DEFAULTS INCLUDING CONSTRAINTS)`);
    const lines = Math.ceil(FULL_LINES / DAYS);
    const by = [idOf('ten'), idOf('app'), idOf('key')];
    await client.query(FILL.replace('request_log_filling_DAY', name), [day.getTime(), lines, ...by]);
    await client.query(`ALTER TABLE request_log ATTACH PARTITION ${name} FOR VALUES FROM ('${lower}') TO ('${upper}')`);
  } finally {
    client.release();
  }
}

const ids = new Map<string, string>();

/** Returns the id of the tenant, the application, or the key to which all entries belong. */
export function idOf(prefix: 'ten' | 'app' | 'key'): string {
  const id = ids.get(prefix) ?? newId(prefix);
  ids.set(prefix, id);
  return id;
}
