import { z } from 'zod';
import { calendarDate, clockTime } from '@/lib/contract/common';
import {
  canonicalZone,
  DAY,
  formatDay,
  formatInstant,
  formatTime,
  parseDay,
  parseTime,
  zoneOf,
} from '@/lib/platform/time-zones';
import { LEGACY_ZONES } from './legacy-zones';
import type { BookingRow } from './row';

/** The stored local times or, if they are null, the payload of the event of the booking's version. */
export type Told = Pick<
  BookingRow,
  'reference' | 'version' | 'starts_at' | 'ends_at' | 'time_zone' | 'date' | 'start_time' | 'end_date' | 'end_time'
> & { payload: string | null };

/** `YYYY-MM-DD`, `HH:MM`. */
type Local = { date: string; time: string };

/** What a customer was told. `zone` is canonical. */
export type Promised = { zone: string; start: Local; end: Local };

/**
 * Returns the local times that a customer was told: stored, of the event, or under the rules of this process. Null if
 * the time zone is unknown.
 */
export function promisedTimes(row: Told): Promised | null {
  const zone = knownZone(row.time_zone);
  if (zone === null) return null;
  const [startNow, endNow] = [row.starts_at, row.ends_at].map((at) =>
    localMinutes(formatInstant(zoneOf(zone), Math.floor(at.getTime() / 60_000))),
  ) as [number, number];
  const event = toldIn(row.payload);
  const near = (told: Local | null | undefined, now: number) =>
    told && Math.abs(localMinutes(told) - now) <= DAY ? localMinutes(told) : null;
  const start =
    row.date && row.start_time
      ? localMinutes({ date: row.date, time: row.start_time })
      : (near(event?.start, startNow) ?? startNow);
  // Without a known end, the clock changes between the start and the end as under the rules of this process.
  const end =
    row.end_date && row.end_time
      ? localMinutes({ date: row.end_date, time: row.end_time })
      : (near(event?.end, endNow) ?? start + endNow - startNow);
  return { zone, start: localOf(start), end: localOf(end) };
}

const localMinutes = ({ date, time }: Local) => parseDay(date) * DAY + parseTime(time);

function localOf(minutes: number): Local {
  const day = Math.floor(minutes / DAY);
  return { date: formatDay(day), time: formatTime(minutes - day * DAY) };
}

/** Contract B11. */
const told = z.object({
  data: z.object({ booking: z.object({ date: calendarDate, start_time: clockTime, ends_at: z.string() }) }),
});

/** Of RFC 3339. */
const localPart = z.tuple([calendarDate, clockTime]);

/**
 * Null unless at most a day from those under the rules of this process: no change of rules moves a local time by more.
 */
function toldIn(payload: string | null): { start: Local; end: Local | null } | null {
  if (payload === null) return null;
  try {
    const { date, start_time: time, ends_at } = told.parse(JSON.parse(payload)).data.booking;
    const end = localPart.safeParse(ends_at.slice(0, 16).split('T')).data;
    return { start: { date, time }, end: end ? { date: end[0], time: end[1] } : null };
  } catch {
    return null;
  }
}

/** Returns the canonical name of a stored name, which an earlier version may have accepted, or null. */
export function knownZone(name: string): string | null {
  return canonicalZone(name) ?? LEGACY_ZONES[name.toUpperCase()] ?? null;
}
