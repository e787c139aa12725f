import { insertLogEntries } from '@/lib/activity/request-log/buffer';
import type { LogEntry } from '@/lib/activity/request-log/log-entry';
import { idBound, newId } from '@/lib/platform/ids';

/** One minute old by default. */
export async function writeLines(parts: Partial<LogEntry>[]): Promise<LogEntry[]> {
  const lines = parts.map((part) => ({ ...blank(), request_id: requestIdAt(new Date(part.at ?? ago(60))), ...part }));
  await insertLogEntries(lines);
  return lines;
}

export function requestIdAt(at: Date): string {
  const bound = idBound('req', at);
  return bound + newId('req').slice(bound.length);
}

/** In the format of the request log. */
export function ago(seconds: number): string {
  return new Date(Date.now() - seconds * 1000).toISOString();
}

function blank(): Omit<LogEntry, 'request_id'> {
  return {
    at: ago(60),
    tenant_id: null,
    application_id: null,
    key_id: null,
    method: 'GET',
    route: '/api/partner/v1/catalog',
    path: '/api/partner/v1/catalog',
    status: 200,
    code: null,
    reason: null,
    invalid_fields: [],
    duration_ms: 2.5,
    address: null,
    origin: null,
    user_agent: 'partner/1.0',
    idempotency_key_hash: null,
    replayed_from: null,
    booking_reference: null,
    external_reference: null,
    refused: null,
  };
}
