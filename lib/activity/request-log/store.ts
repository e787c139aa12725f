import { systemClock } from '@/lib/platform/clock';
import { pool } from '@/lib/platform/db';
import { bind, param, statement } from '@/lib/platform/sql';
import { recountFrom } from './counts';
import { INSERT_LOG_ENTRIES } from './insert';
import type { LogEntry } from './log-entry';

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

const FIND = statement<Omit<LogEntry, 'at'> & { at: Date }>('request-log-stored')`
  SELECT request_id, at, tenant_id, application_id, key_id, method, route, path, status, code, reason, invalid_fields,
    duration_ms, address, origin, user_agent, encode(idempotency_key_hash, 'hex') AS idempotency_key_hash,
    replayed_from, booking_reference, external_reference, refused
  FROM request_log WHERE request_id = ANY(${param.texts('requestIds')})`;

/**
 * Inserts log entries in one statement and returns them as stored. A stored entry with the same request id stays: the
 * database committed the write, which stored its success, but confirmed the COMMIT too late, so the partner got a 503.
 */
export async function insertLogEntries(entries: LogEntry[], now = systemClock()): Promise<LogEntry[]> {
  const { rowCount } = await pool().query(bind(INSERT, { logEntries: JSON.stringify(entries) }));
  const oldest = Math.min(...entries.map(({ at }) => Date.parse(at)));
  await recountFrom(now, new Date(oldest));
  return rowCount === entries.length ? entries : findStored(entries);
}

async function findStored(entries: LogEntry[]): Promise<LogEntry[]> {
  const { rows } = await pool().query(bind(FIND, { requestIds: entries.map(({ request_id }) => request_id) }));
  return rows.map((row) => ({ ...row, at: row.at.toISOString() }));
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
