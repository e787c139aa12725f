import { pool } from '@/lib/platform/db';
import { log } from '@/lib/platform/log';
import { loggableMessage } from '@/lib/platform/loggable';
import { singleton } from '@/lib/platform/singleton';
import { bind, param, statement } from '@/lib/platform/sql';
import { countUnwrittenEntries } from '../metrics/counters';
import { recountFrom } from './counts';
import { INSERT_LOG_ENTRIES } from './insert';
import type { LogEntry } from './log-entry';

const FLUSH_EVERY_MS = 200;
/** Reached only if the database cannot keep up. */
const MAX_ENTRIES = 20_000;
const BATCH = 2_000;

type Buffer = { entries: LogEntry[]; timer: NodeJS.Timeout | null; writing: Promise<void> | null };

function buffer(): Buffer {
  return singleton('request-log', () => ({ entries: [], timer: null, writing: null }));
}

/**
 * Adds an entry, which is normally in the database within 250 ms. If the buffer is full or the insert fails, it is
 * written to standard error (architecture 6).
 */
export function writeLogEntry(entry: LogEntry): void {
  const current = buffer();
  if (current.entries.length >= MAX_ENTRIES) {
    toStandardError([entry], 'the buffer of the request log is full');
    return;
  }
  current.entries.push(entry);
  if (!current.timer) current.timer = setTimeout(() => void flushLog(), FLUSH_EVERY_MS);
}

/** Returns the number of entries in the buffer. */
export function bufferedEntries(): number {
  return buffer().entries.length;
}

/** Resolves after each buffered entry is in the database or was written to standard error. */
export async function flushLog(): Promise<void> {
  const current = buffer();
  if (current.timer) clearTimeout(current.timer);
  current.timer = null;
  // With a slow database, concurrent writes would occupy all connections of the pool.
  while (current.writing) await current.writing;
  if (current.entries.length === 0) return;
  current.writing = write(current.entries).finally(() => {
    current.writing = null;
  });
  current.entries = [];
  await current.writing;
}

async function write(entries: LogEntry[]): Promise<void> {
  for (let start = 0; start < entries.length; start += BATCH) await writeBatch(entries.slice(start, start + BATCH));
}

async function writeBatch(batch: LogEntry[]): Promise<void> {
  try {
    await insertLogEntries(batch);
    await touchKeys(batch);
  } catch (error) {
    // One invalid entry makes PostgreSQL reject the whole batch, which is split until the entry is alone.
    if (isRejectedData(error) && batch.length > 1) {
      const half = Math.ceil(batch.length / 2);
      await writeBatch(batch.slice(0, half));
      await writeBatch(batch.slice(half));
      return;
    }
    toStandardError(batch, reasonOf(error));
  }
}

/** A data exception (SQLSTATE 22) or a constraint violation (23). */
function isRejectedData(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^2[23]/.test(String(error.code));
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error';
  return loggableMessage(error.message, 'code' in error ? error.code : undefined);
}

function toStandardError(entries: LogEntry[], why: string): void {
  countUnwrittenEntries(entries.length);
  for (const entry of entries) log().error({ request: entry, why }, 'request log entry not written');
}

const INSERT = statement<never>('request-log-insert')`${INSERT_LOG_ENTRIES} ON CONFLICT (request_id) DO NOTHING`;

// In the order of their ids, so that two instances cannot deadlock.
const TOUCH_KEYS = statement<never>('api-keys-touch')`
  WITH used AS (SELECT id, at FROM json_to_recordset(${param.json('used')}) AS entry(id text, at timestamptz)),
    locked AS (SELECT k.id FROM api_keys k JOIN used USING (id) ORDER BY k.id FOR NO KEY UPDATE OF k)
  UPDATE api_keys SET last_used_at = used.at
  FROM used JOIN locked USING (id)
  WHERE api_keys.id = used.id AND api_keys.revoked_at IS NULL
    AND used.at < least(api_keys.expires_at, api_keys.overlap_ends_at, 'infinity')
    AND (api_keys.last_used_at IS NULL OR api_keys.last_used_at < used.at)`;

/**
 * Inserts log entries in one statement. A stored entry with the same request id stays: the database committed the write,
 * which stored its success, but confirmed the COMMIT too late, so the partner got a 503.
 */
export async function insertLogEntries(entries: LogEntry[], now = new Date()): Promise<void> {
  await pool().query(bind(INSERT, { logEntries: JSON.stringify(entries) }));
  const oldest = Math.min(...entries.map(({ at }) => Date.parse(at)));
  await recountFrom(now, new Date(oldest));
}

/** Updates `last_used_at` of the keys in `entries`. */
export async function touchKeys(entries: LogEntry[]): Promise<void> {
  const latest = new Map<string, string>();
  for (const { key_id: id, at, code } of entries) {
    // A revoked or expired key was not used.
    if (id && code !== 'invalid_api_key' && (latest.get(id) ?? '') < at) latest.set(id, at);
  }
  if (latest.size === 0) return;
  const used = [...latest].map(([id, at]) => ({ id, at }));
  await pool().query(bind(TOUCH_KEYS, { used: JSON.stringify(used) }));
}
