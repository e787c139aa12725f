import { pool } from '@/lib/platform/db';
import { insertLinesSql } from './insert';
import type { RequestLine } from './line';

const INSERT = `${insertLinesSql('$1')} ON CONFLICT (request_id) DO NOTHING`;

// Rows are locked in the order of their ids: two instances that flush the same keys must not deadlock.
const TOUCH = `
  WITH used AS (SELECT id, at FROM json_to_recordset($1::json) AS line(id text, at timestamptz)),
    locked AS (SELECT k.id FROM api_keys k JOIN used USING (id) ORDER BY k.id FOR NO KEY UPDATE OF k)
  UPDATE api_keys SET last_used_at = used.at
  FROM used JOIN locked USING (id)
  WHERE api_keys.id = used.id AND api_keys.revoked_at IS NULL
    AND used.at < least(api_keys.expires_at, api_keys.overlap_ends_at, 'infinity')
    AND (api_keys.last_used_at IS NULL OR api_keys.last_used_at < used.at)`;

/** Writes lines of the request log in one statement. A line that is there already stays as it is. */
export async function insertLines(lines: RequestLine[]): Promise<void> {
  await pool().query({ name: 'request-log-insert', text: INSERT, values: [JSON.stringify(lines)] });
}

/** Notes when the keys of these lines were last used. */
export async function touchKeys(lines: RequestLine[]): Promise<void> {
  const latest = new Map<string, string>();
  for (const { key_id: id, at, code } of lines) {
    // A revoked or expired key that is tried again is not in use.
    if (id && code !== 'invalid_api_key' && (latest.get(id) ?? '') < at) latest.set(id, at);
  }
  if (latest.size === 0) return;
  const used = [...latest].map(([id, at]) => ({ id, at }));
  await pool().query({ name: 'api-keys-touch', text: TOUCH, values: [JSON.stringify(used)] });
}
