import type { RequestLine } from './line';
import { pool } from '../db';

const COLUMNS =
  'request_id, at, tenant_id, application_id, key_id, method, route, path, status, code, reason, invalid_fields, ' +
  'duration_ms, address, origin, user_agent, idempotency_key_hash, replayed_from, booking_reference, external_reference';

const INSERT = `
  INSERT INTO request_log (${COLUMNS})
  SELECT request_id, at, tenant_id, application_id, key_id, method, route, path, status, code, reason, invalid_fields,
    duration_ms, address, origin, user_agent, decode(idempotency_key_hash, 'hex'), replayed_from, booking_reference,
    external_reference
  FROM json_to_recordset($1::json) AS line(
    request_id text, at timestamptz, tenant_id text, application_id text, key_id text, method text, route text,
    path text, status smallint, code text, reason text, invalid_fields text[], duration_ms real, address text,
    origin text, user_agent text, idempotency_key_hash text, replayed_from text, booking_reference text,
    external_reference text)
  ON CONFLICT (request_id) DO NOTHING`;

// Rows are locked in the order of their ids: two instances that flush the same keys must not deadlock.
const TOUCH = `
  WITH used AS (SELECT id, at FROM json_to_recordset($1::json) AS line(id text, at timestamptz)),
    locked AS (SELECT k.id FROM api_keys k JOIN used USING (id) ORDER BY k.id FOR NO KEY UPDATE OF k)
  UPDATE api_keys SET last_used_at = used.at
  FROM used JOIN locked USING (id)
  WHERE api_keys.id = used.id AND (api_keys.last_used_at IS NULL OR api_keys.last_used_at < used.at)`;

/** Writes lines of the request log in one statement. A line that is there already stays as it is. */
export async function insertLines(lines: RequestLine[]): Promise<void> {
  // PostgreSQL text cannot hold NUL; nothing we log legitimately has one.
  await pool().query({ name: 'request-log-insert', text: INSERT, values: [JSON.stringify(lines).replaceAll('\\u0000', '')] });
}

/** Notes when the keys of these lines were last used. */
export async function touchKeys(lines: RequestLine[]): Promise<void> {
  const latest = new Map<string, string>();
  for (const { key_id: id, at } of lines) if (id && (latest.get(id) ?? '') < at) latest.set(id, at);
  if (latest.size === 0) return;
  const used = [...latest].map(([id, at]) => ({ id, at }));
  await pool().query({ name: 'api-keys-touch', text: TOUCH, values: [JSON.stringify(used)] });
}
