import { batched } from '../batch';
import { pool } from '../db';
import { log } from '../log';
import { bind, param, statement } from '../sql';
import { memoryStore, type Store, WINDOW, type Window } from './store';

/** Milliseconds between two cleanups of expired windows. */
const CLEANUP_INTERVAL = 300_000;
const CLEANUP_ROWS = 10_000;

type Row = { key: string; points: number; left: number };
type Addition = { key: string; points: number };

// The database's clock is used, so that all instances agree on the end of a window. Rows are written in the order of
// their keys, so that two instances cannot deadlock.
const ADD = statement<Row>('rate-limit-add')`
  INSERT INTO rate_limits AS r (key, points, expire)
  SELECT key, points, (EXTRACT(epoch FROM clock_timestamp()) * 1000)::bigint + ${WINDOW * 1000}
  FROM unnest(${param.texts('keys')}, ${param.ints('points')}) AS given(key, points) ORDER BY key
  ON CONFLICT (key) DO UPDATE SET
    points = EXCLUDED.points + CASE WHEN r.expire <= EXCLUDED.expire - ${WINDOW * 1000} THEN 0 ELSE r.points END,
    expire = CASE WHEN r.expire <= EXCLUDED.expire - ${WINDOW * 1000} THEN EXCLUDED.expire ELSE r.expire END
  RETURNING key, points, (expire - EXTRACT(epoch FROM clock_timestamp()) * 1000)::float8 AS left`;

const READ = statement<Row>('rate-limit-read')`
  SELECT key, points, (expire - EXTRACT(epoch FROM clock_timestamp()) * 1000)::float8 AS left
  FROM rate_limits WHERE key = ANY (${param.texts('keys')})`;

const CLEAN_UP = statement<never>('rate-limit-clean-up')`
  DELETE FROM rate_limits WHERE key IN (
    SELECT key FROM rate_limits WHERE expire < EXTRACT(epoch FROM clock_timestamp()) * 1000
    LIMIT ${CLEANUP_ROWS} FOR UPDATE SKIP LOCKED)`;

/**
 * Returns a store that all instances share. Each process runs one statement at a time for all waiting calls, so a call
 * costs less under a higher load. While the database is unavailable, each process counts in its own memory.
 */
export function postgresStore(): Store {
  const insurance = memoryStore();
  const add = batched(addAll);
  const read = batched(readAll);
  setInterval(cleanUp, CLEANUP_INTERVAL).unref();
  return {
    add: (key, points) => add({ key, points }).catch(() => insurance.add(key, points)),
    read: (key) => read(key).catch(() => insurance.read(key)),
  };
}

/**
 * Adds the points of all calls with one statement. If several calls have the same key, each returns the count that it
 * would return if the calls ran one after another.
 */
async function addAll(calls: Addition[]): Promise<Window[]> {
  const totals = new Map<string, number>();
  for (const { key, points } of calls) totals.set(key, (totals.get(key) ?? 0) + points);
  const values = { keys: [...totals.keys()], points: [...totals.values()] };
  const { rows } = await pool().query<Row>(bind(ADD, values));
  const before = new Map(rows.map(({ key, points, left }) => [key, { used: points - (totals.get(key) ?? 0), left }]));
  return calls.map(({ key, points }) => {
    const window = before.get(key);
    if (!window) return null;
    window.used += points;
    return { ...window };
  });
}

async function readAll(keys: string[]): Promise<Window[]> {
  const { rows } = await pool().query<Row>(bind(READ, { keys: [...new Set(keys)] }));
  const found = new Map(rows.map(({ key, points, left }) => [key, { used: points, left }]));
  return keys.map((key) => found.get(key) ?? null);
}

async function cleanUp(): Promise<void> {
  await pool()
    .query(bind(CLEAN_UP, {}))
    .catch((error: unknown) => log().warn({ err: error }, 'expired windows of rate limits could not be removed'));
}
