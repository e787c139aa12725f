import type { LogEntry } from '@/lib/activity/request-log/log-entry';

/** Returns a log entry whose request id is `req_` and a number. */
export function entryOf(number: number, more: Partial<LogEntry> = {}): LogEntry {
  return {
    ...{ request_id: `req_${number}`, at: '2026-11-22T10:00:00.123Z', tenant_id: 'tnt_1', application_id: null },
    ...{ key_id: null, method: 'GET', route: '/api/partner/v1/catalog', path: null, status: 200, code: null },
    ...{ reason: null, invalid_fields: [], duration_ms: 1.25, address: null, origin: null, user_agent: null },
    ...{ idempotency_key_hash: null, replayed_from: null, booking_reference: null, external_reference: null },
    refused: null,
    ...more,
  };
}

/** Returns `count` entries, numbered from `first`. */
export const entriesFrom = (first: number, count: number): LogEntry[] =>
  Array.from({ length: count }, (_, i) => entryOf(first + i));

/** Returns the request ids in the NDJSON text of a file. Fails if a line is incomplete. */
export const idsIn = (text: string): string[] =>
  text
    .split('\n')
    .slice(0, -1)
    .map((line) => (JSON.parse(line) as LogEntry).request_id);
