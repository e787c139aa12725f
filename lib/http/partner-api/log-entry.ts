import { LRUCache } from 'lru-cache';
import { writeLogEntry } from '@/lib/activity/request-log/buffer';
import type { LogEntry, Refused } from '@/lib/activity/request-log/log-entry';
import { bookingStart } from '@/lib/booking/availability';
import type { Resolved } from '@/lib/booking/bookings/partner-write';
import { holdsSensitive } from '@/lib/booking/bookings/sensitive';
import { createBookingBody, externalReference } from '@/lib/contract/bookings';
import { calendarDate, clockTime } from '@/lib/contract/common';
import type { AppError } from '@/lib/contract/errors/app-error';
import { BASE_PATH, cancelBooking, createBooking, rescheduleBooking } from '@/lib/contract/operations';
import { isBookingReference, isId } from '@/lib/platform/ids';
import { singleton } from '@/lib/platform/singleton';
import { type Call, headerOf } from './call';

const MAX_TEXT = 300;
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
    // The address of an unauthenticated client is personal data that the server does not need.
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

// A text in place of a booking reference can be a key or a contact, so only the pattern of the route is logged.
function loggablePath({ route, path }: Call): string | null {
  if (!route || path === route) return route;
  const reference = path.split('/')[5];
  return reference !== undefined && isBookingReference(reference) ? path : route;
}

// A client may have sent its key in the wrong header.
function redact(text: string | null): string | null {
  if (text === null) return null;
  const start = text.slice(0, MAX_TEXT);
  // A partner sends the same header values with every request.
  const known = redacted().get(start);
  if (known !== undefined) return known;
  const safe = start.replaceAll(/\p{C}/gu, ' ').replaceAll(/pbk_[a-z]+_\w+|whsec_[\w+/=]+/gi, '[credential]');
  redacted().set(start, safe);
  return safe;
}

function redacted(): LRUCache<string, string> {
  return singleton('partner-api:redacted', () => new LRUCache<string, string>({ max: MAX_REDACTED }));
}

type RefusedWrite = Pick<LogEntry, 'booking_reference' | 'external_reference' | 'refused'>;
type Body = Record<string, unknown>;

/** UTF-16 code units: 128 characters of at most two. */
const MAX_REFERENCE = 256;

const CREATE = BASE_PATH + createBooking.path;
const CHANGES = new Set([rescheduleBooking, cancelBooking].map(({ path }) => BASE_PATH + path));

/** Returns the identifiers and times of a refused booking write, for its log entry (architecture 4), or null. */
function refusedWrite({ route, body, resolved }: Call): RefusedWrite | null {
  if (route === null || !isObject(body)) return null;
  if (route === CREATE) {
    const known = { location_id: resolved?.location_id, ...idsOf(body), ...timeOf(body) };
    return { booking_reference: null, external_reference: externalReferenceOf(body), refused: orNull(known) };
  }
  if (!CHANGES.has(route)) return null;
  const { reference, external_reference, service_id, location_id } = resolved ?? {};
  const { specialist_id } = idsOf(body);
  const known = { service_id, location_id, specialist_id, ...timeOf(body), ...startOf(resolved) };
  return {
    booking_reference: reference ?? null,
    external_reference: external_reference ?? null,
    refused: orNull(known),
  };
}

function idsOf(body: Body): Refused {
  return {
    ...(isIdOf('svc', body.service_id) && { service_id: body.service_id }),
    ...(isIdOf('loc', body.location_id) && { location_id: body.location_id }),
    ...(isIdOf('spc', body.specialist_id) && { specialist_id: body.specialist_id }),
  };
}

function timeOf(body: Body): Refused {
  return { date: calendarDate.safeParse(body.date).data, start_time: clockTime.safeParse(body.start_time).data };
}

function startOf(resolved: Resolved | null): Refused {
  if (!resolved?.starts_at || !resolved.time_zone) return {};
  const { starts_at, time_zone, date = null, start_time = null } = resolved;
  return { specialist_id: resolved.specialist_id, ...bookingStart({ starts_at, time_zone, date, start_time }) };
}

// Without a valid customer in the body, the reference cannot be compared with the customer's data.
function externalReferenceOf(body: Body): string | null {
  const { external_reference: given } = body;
  if (typeof given !== 'string' || given.length > MAX_REFERENCE) return null;
  const reference = externalReference.safeParse(given);
  const customer = createBookingBody.shape.customer.safeParse(body.customer);
  if (!reference.success || !customer.success) return null;
  return holdsSensitive(reference.data, customer.data) ? null : reference.data;
}

function orNull(known: Refused): Refused | null {
  return Object.values(known).some((value) => value !== undefined) ? known : null;
}

function isIdOf(prefix: 'svc' | 'loc' | 'spc', value: unknown): value is string {
  return typeof value === 'string' && isId(prefix, value);
}

function isObject(value: unknown): value is Body {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
