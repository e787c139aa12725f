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
