import { LRUCache } from 'lru-cache';
import { writeLogEntry } from '@/lib/activity/request-log/buffer';
import type { LogEntry } from '@/lib/activity/request-log/log-entry';
import type { AppError } from '@/lib/contract/errors/app-error';
import { isBookingReference } from '@/lib/platform/ids';
import { singleton } from '@/lib/platform/singleton';
import { type Call, headerOf } from './call';
import { refusedWrite } from './refused';

/** Maximum characters of a header value in the request log. */
const MAX_TEXT = 300;
/** Maximum number of header values in the cache of `redact`. Each entry takes up to 600 bytes. */
const MAX_REDACTED = 2_000;

/** Adds a finished call to the request log (architecture 4). */
export function logCall(call: Call, status: number, error: AppError | null): void {
  writeLogEntry(logEntryOf(call, status, error));
}

/** Returns the entry of a call in the request log. */
export function logEntryOf(call: Call, status: number, error: AppError | null): LogEntry {
  const { policy } = call;
  return {
    request_id: call.requestId,
    at: call.at.toISOString(),
    tenant_id: policy?.tenantId ?? null,
    application_id: policy?.applicationId ?? null,
    key_id: policy?.keyId ?? null,
    method: call.method.slice(0, 20),
    route: call.route,
    path: loggablePath(call),
    status,
    code: error?.code ?? null,
    reason: error?.reason ?? null,
    invalid_fields: error?.fields.map((field) => field.path) ?? [],
    duration_ms: Math.round((performance.now() - call.begun) * 1000) / 1000,
    // An unauthenticated client's address is not stored, because it is personal data that the server does not need.
    address: policy ? call.address : null,
    origin: redact(headerOf(call, 'origin')),
    user_agent: redact(headerOf(call, 'user-agent')),
    idempotency_key_hash: call.idempotencyKeyHash,
    replayed_from: call.replayedFrom,
    booking_reference: call.bookingReference,
    external_reference: call.externalReference,
    refused: null,
    ...(status >= 400 && status < 500 && refusedWrite(call)),
  };
}

// Returns the path to log. If the path contains another text in place of a booking reference, returns only the pattern
// of the route, because the text can be a key or a contact.
function loggablePath({ route, path }: Call): string | null {
  if (!route || path === route) return route;
  const reference = path.split('/')[5];
  return reference !== undefined && isBookingReference(reference) ? path : route;
}

// Replaces credentials in a header value. A client may have sent its key in the wrong header.
function redact(text: string | null): string | null {
  if (text === null) return null;
  const start = text.slice(0, MAX_TEXT);
  // The redacted value is cached, because a partner sends the same header values with every request.
  const known = redacted().get(start);
  if (known !== undefined) return known;
  const safe = start.replaceAll(/\p{C}/gu, ' ').replaceAll(/pbk_[a-z]+_\w+|whsec_[\w+/=]+/gi, '[credential]');
  redacted().set(start, safe);
  return safe;
}

function redacted(): LRUCache<string, string> {
  return singleton('partner-api:redacted', () => new LRUCache<string, string>({ max: MAX_REDACTED }));
}
