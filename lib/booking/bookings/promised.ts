import { z } from 'zod';
import { calendarDate, clockTime } from '@/lib/contract/common';
import { canonicalZone, DAY, formatInstant, zoneOf } from '@/lib/platform/time-zones';
import { LEGACY_ZONES } from './legacy-zones';
import type { BookingRow } from './row';

/**
 * What a booking's local time is known from: the stored one or, if it was never stored (null), the payload of the event
 * of the booking's version.
 */
export type Told = Pick<BookingRow, 'reference' | 'version' | 'starts_at' | 'time_zone' | 'date' | 'start_time'> & {
  payload: string | null;
};

/** The local time that a customer was told, and the canonical name of its time zone. */
export type Promised = { zone: string; date: string; time: string };

/**
 * Returns the local time that the customer of a booking was told: the stored one, that of its event or, without an event,
 * that of its start under the rules of this process. Returns null if the time zone is unknown.
 */
export function promisedTime(row: Told): Promised | null {
  const zone = knownZone(row.time_zone);
  if (zone === null) return null;
  if (row.date && row.start_time) return { zone, date: row.date, time: row.start_time };
  const now = formatInstant(zoneOf(zone), row.starts_at.getTime() / 60_000);
  const { date, time } = toldIn(row.payload, now) ?? now;
  return { zone, date, time };
}

/** The fields of an event's payload that state the local start (contract B11). */
const told = z.object({ data: z.object({ booking: z.object({ date: calendarDate, start_time: clockTime }) }) });

/**
 * Returns the local start in an event's payload. Returns null if there is none, or if it is more than a day from `now`:
 * no change of rules moves a local time by more than a day.
 */
function toldIn(payload: string | null, now: { date: string; time: string }) {
  try {
    const { date, start_time: time } = told.parse(JSON.parse(payload ?? 'null')).data.booking;
    const distance = Date.parse(`${date}T${time}Z`) - Date.parse(`${now.date}T${now.time}Z`);
    return Math.abs(distance) <= DAY * 60_000 ? { date, time } : null;
  } catch {
    return null;
  }
}

/** Returns the canonical name of a stored name, which an earlier version may have accepted. Null if it is unknown. */
export function knownZone(name: string): string | null {
  return canonicalZone(name) ?? LEGACY_ZONES[name.toUpperCase()] ?? null;
}
