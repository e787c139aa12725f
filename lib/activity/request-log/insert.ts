import { param, sql } from '@/lib/platform/sql';

/** SQL that inserts the log entries of a JSON array. A caller can append a WHERE or ON CONFLICT clause. */
export const INSERT_LOG_ENTRIES = sql`
  INSERT INTO request_log (request_id, at, tenant_id, application_id, key_id, method, route, path, status, code, reason,
    invalid_fields, duration_ms, address, origin, user_agent, idempotency_key_hash, replayed_from, booking_reference,
    external_reference, refused)
  SELECT request_id, at, tenant_id, application_id, key_id, method, route, path, status, code, reason, invalid_fields,
    duration_ms, address, origin, user_agent, decode(idempotency_key_hash, 'hex'), replayed_from, booking_reference,
    external_reference, refused
  FROM json_to_recordset(${param.json('logEntries')}) AS entry(
    request_id text, at timestamptz, tenant_id text, application_id text, key_id text, method text, route text,
    path text, status smallint, code text, reason text, invalid_fields text[], duration_ms real, address text,
    origin text, user_agent text, idempotency_key_hash text, replayed_from text, booking_reference text,
    external_reference text, refused jsonb)`;
