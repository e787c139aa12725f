import { writeLine } from '@/lib/activity/request-log/buffer';
import type { RequestLine } from '@/lib/activity/request-log/line';
import type { AppError } from '@/lib/contract/errors/app-error';
import { isBookingReference } from '@/lib/platform/ids';
import type { Call } from './call';

/** Characters kept of a header that we log. */
const MAX_TEXT = 300;

/** Puts the line of a finished call into the request log (architecture 4, request_log). */
export function logCall(call: Call, status: number, error: AppError | null): void {
  writeLine(lineOf(call, status, error));
}

/** Returns the line of a call: what the request log will say of it. */
export function lineOf(call: Call, status: number, error: AppError | null): RequestLine {
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
    // Who failed to authenticate is nobody we know: their address is not kept.
    address: policy ? call.address : null,
    origin: loggable(call.headers.get('origin')),
    user_agent: loggable(call.headers.get('user-agent')),
    idempotency_key_hash: call.idempotencyKeyHash,
    replayed_from: call.replayedFrom,
    booking_reference: call.bookingReference,
    external_reference: call.externalReference,
  };
}

// Somebody may put a key or a contact where a reference belongs: a path is kept only when it cannot hold one.
function loggablePath({ route, path }: Call): string | null {
  if (!route) return null;
  const reference = path.split('/')[5];
  return path === route || (reference !== undefined && isBookingReference(reference)) ? path : route;
}

// People paste credentials into the wrong header: they must not end up in the log.
function loggable(text: string | null): string | null {
  if (text === null) return null;
  return text
    .slice(0, MAX_TEXT)
    .replaceAll(/\p{C}/gu, ' ')
    .replaceAll(/pbk_[a-z]+_\w+|whsec_[\w+/=]+/gi, '[credential]');
}
