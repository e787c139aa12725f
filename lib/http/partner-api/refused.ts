import type { LogEntry, Refused } from '@/lib/activity/request-log/log-entry';
import { bookingStart } from '@/lib/booking/availability';
import type { Resolved } from '@/lib/booking/bookings/partner-write';
import { holdsSensitive } from '@/lib/booking/bookings/sensitive';
import { createBookingBody, externalReference } from '@/lib/contract/bookings';
import { calendarDate, clockTime } from '@/lib/contract/common';
import { BASE_PATH, cancelBooking, createBooking, rescheduleBooking } from '@/lib/contract/operations';
import { isId } from '@/lib/platform/ids';
import type { Call } from './call';

type RefusedWrite = Pick<LogEntry, 'booking_reference' | 'external_reference' | 'refused'>;
type Body = Record<string, unknown>;

/**
 * Maximum length of an external reference in UTF-16 code units. An external reference has at most 128 characters, and a
 * character has at most two code units.
 */
const MAX_REFERENCE = 256;

const CREATE = BASE_PATH + createBooking.path;
const CHANGES = new Set([rescheduleBooking, cancelBooking].map(({ path }) => BASE_PATH + path));

/**
 * Returns the identifiers and times of a refused booking write, for its log entry (architecture 4). Omits values with
 * an invalid format. Returns null if the request is not a booking write, or was refused before its body was parsed.
 */
export function refusedWrite({ route, body, resolved }: Call): RefusedWrite | null {
  if (route === null || !isObject(body)) return null;
  if (route === CREATE) {
    const known = { location_id: resolved?.location_id, ...idsOf(body), ...timeOf(body) };
    return { booking_reference: null, external_reference: referenceOf(body), refused: orNull(known) };
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

/**
 * Returns the specialist and the local start of the booking that a refused cancellation names. For other writes,
 * returns an empty object.
 */
function startOf(resolved: Resolved | null): Refused {
  if (!resolved?.starts_at || !resolved.time_zone) return {};
  const { starts_at, time_zone, date = null, start_time = null } = resolved;
  return { specialist_id: resolved.specialist_id, ...bookingStart({ starts_at, time_zone, date, start_time }) };
}

// Returns the external reference if it contains no customer data. Without a valid customer in the body, the
// reference cannot be compared with the customer's data, so the function returns null.
function referenceOf(body: Body): string | null {
  const { external_reference: given } = body;
  // A longer string is not a valid external reference. The checks below would only take time.
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
