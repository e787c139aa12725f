import type { IncomingHttpHeaders } from 'node:http';
import type { Policy } from '@/lib/access/applications/policy';
import type { LogEntry, Refused } from '@/lib/activity/request-log/log-entry';
import type { Resolved } from '@/lib/booking/bookings/change';
import { holdsSensitive } from '@/lib/booking/bookings/sensitive';
import { createBookingBody, externalReference } from '@/lib/contract/bookings';
import { calendarDate, clockTime } from '@/lib/contract/common';
import type { AppError } from '@/lib/contract/errors/app-error';
import { BASE_PATH, cancelBooking, createBooking, rescheduleBooking } from '@/lib/contract/operations';
import { isBookingReference, isId, newId } from '@/lib/platform/ids';
import type { Quota } from '@/lib/platform/rate-limit/rate-limit';

export type Incoming = {
  /** Unit and origin of `performance.now()`. */
  begun: number;
  headers: IncomingHttpHeaders;
  method: string;
  /** Not decoded. */
  path: string;
  /** Not decoded, without the question mark. */
  search: string;
  address: string;
  /** Call once. @throws AppError invalid_request if the body is larger than `max` bytes or cannot be read. */
  readBytes: (max: number) => Promise<Uint8Array>;
};

export type Call = Incoming & {
  requestId: string;
  /** Real time, for the log. */
  at: Date;
  route: string | null;
  policy: Policy | null;
  /** If null, the X-RateLimit headers show the quota of the client's address. */
  quota: Quota | null;
  /** Whether the request counts against the failure quota of the client's address (contract B2). */
  refused: boolean;
  endWork: (() => void) | null;
  /** After a timeout, a step of the pipeline can still be running. */
  responded: boolean;
  bookingReference: string | null;
  externalReference: string | null;
  /** In hexadecimal. */
  idempotencyKeyHash: string | null;
  replayedFrom: string | null;
  /** The parsed JSON of a write, not validated. A refused write logs it. */
  body: unknown;
  resolved: Resolved | null;
};

/** Creates the `Call` for a request. A request id that the client sends is ignored (contract A). */
export function beginCall(incoming: Incoming, now: Date): Call {
  return {
    ...incoming,
    requestId: newId('req'),
    at: now,
    route: null,
    policy: null,
    quota: null,
    refused: false,
    endWork: null,
    responded: false,
    bookingReference: null,
    externalReference: null,
    idempotencyKeyHash: null,
    replayedFrom: null,
    body: undefined,
    resolved: null,
  };
}

/** Returns the value of a header, or null. */
export function headerOf({ headers }: Pick<Incoming, 'headers'>, name: string): string | null {
  const value = headers[name];
  return Array.isArray(value) ? value.join(', ') : (value ?? null);
}

const MAX_TEXT = 300;

/** Returns the entry of a finished call in the request log (architecture 4). */
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
  return start.replaceAll(/\p{C}/gu, ' ').replaceAll(/pbk_[a-z]+_\w+|whsec_[\w+/=]+/gi, '[credential]');
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
  if (!resolved?.date) return {};
  const { specialist_id, date, start_time } = resolved;
  return { specialist_id, date, start_time };
}

/**
 * Returns the external reference of a create, for its log entry; null if it is not valid or contains data of the customer.
 * Without a valid customer in the body, the two cannot be compared.
 */
export function externalReferenceOf(body: unknown): string | null {
  if (!isObject(body)) return null;
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
