import {
  boundaryInstant,
  DAY,
  dayExists,
  parseDay,
  parseTime,
  weekdayOf,
  type Zone,
  zoneOf,
} from '@/lib/platform/time-zones';
import { type Interval, mergeIntervals } from './intervals';
import type {
  ExceptionRecord,
  HoursRecord,
  LocationRecord,
  ServiceRecord,
  SpecialistRecord,
  WeeklyHoursRecord,
} from './records';

/**
 * `from` and `to` are in minutes from local midnight of the day on which the interval starts, so `to` can exceed 1440.
 * Adjacent intervals must not be merged before `hoursBetween` has converted them to instants. For example, a business
 * is open from 02:30 to 03:00 and from 03:00 to 05:00, and the clock skips from 02:00 to 03:00. Then 02:30 becomes
 * 03:30, the first interval is dropped, and the business opens at 03:00. Merged, it would open at 03:30.
 */
interface WallHours {
  readonly weekly: ReadonlyMap<number, readonly Interval[]>;
  readonly dated: ReadonlyMap<number, readonly Interval[]>;
}

/** Immutable. Times are in minutes. */
export interface PreparedLocation {
  readonly id: string;
  readonly tenantId: string;
  readonly zone: Zone;
  readonly hours: WallHours;
}

/** A specialist at one location. Immutable. Times are in minutes. */
export interface PreparedSpecialist {
  readonly id: string;
  readonly hours: WallHours;
  readonly breaks: WallHours | null;
  /** Sorted and disjoint, in epoch minutes. */
  readonly timeOff: readonly Interval[];
}

/** Immutable. */
export type PreparedService = ServiceRecord;

function wallInterval(record: HoursRecord): Interval {
  const from = parseTime(record.opens);
  const closes = record.closes === '24:00' ? DAY : parseTime(record.closes);
  // Equal times mean 24 hours. If `closes` is earlier than `opens`, the interval ends on the next day.
  return { from, to: closes > from ? closes : closes + DAY };
}

function wallHours(
  weekly: readonly WeeklyHoursRecord[],
  exceptions: readonly ExceptionRecord[] | null | undefined,
): WallHours {
  const byWeekday = new Map<number, Interval[]>();
  for (const record of weekly) {
    if (!Number.isInteger(record.weekday) || record.weekday < 1 || record.weekday > 7) {
      throw new RangeError('weekday must be 1 (Monday) to 7 (Sunday)');
    }
    byWeekday.set(record.weekday, [...(byWeekday.get(record.weekday) ?? []), wallInterval(record)]);
  }
  const dated = new Map<number, Interval[]>();
  for (const exception of exceptions ?? []) {
    const day = parseDay(exception.date);
    dated.set(day, [...(dated.get(day) ?? []), ...(exception.hours ?? []).map(wallInterval)]);
  }
  for (const intervals of [...byWeekday.values(), ...dated.values()]) intervals.sort((a, b) => a.from - b.from);
  return { weekly: byWeekday, dated };
}

const LOCAL_TIME = /^(.{10})T(.{5})$/;

function localMinutes(text: string): number {
  const match = LOCAL_TIME.exec(text);
  if (!match) throw new RangeError('local time must be YYYY-MM-DDTHH:MM');
  return parseDay(match[1] ?? '') * DAY + parseTime(match[2] ?? '');
}

/**
 * Converts opening hours and exceptions to numbers (contract B6). Without opening hours, a location is closed.
 * @throws RangeError for a malformed time, date, or weekday, and for an unknown time zone.
 */
export function prepareLocation(record: LocationRecord): PreparedLocation {
  const hours = wallHours(record.opening, record.exceptions);
  return { id: record.id, tenantId: record.tenantId, zone: zoneOf(record.timeZone), hours };
}

/**
 * Converts a specialist's hours at one location to numbers (contract B6), in the location's time zone.
 * @throws RangeError for a malformed time, date, or weekday.
 */
export function prepareSpecialist(record: SpecialistRecord, location: PreparedLocation): PreparedSpecialist {
  const timeOff = (record.timeOff ?? []).map(({ from, to }) => ({
    from: boundaryInstant(location.zone, localMinutes(from)),
    to: boundaryInstant(location.zone, localMinutes(to)),
  }));
  return {
    id: record.id,
    hours: wallHours(record.working, record.exceptions),
    breaks: record.breaks?.length ? wallHours(record.breaks, null) : null,
    timeOff: mergeIntervals(timeOff),
  };
}

/** Minimum and maximum. The engine reads the schedule of every day that an appointment can overlap. */
const LIMITS: Record<Exclude<keyof ServiceRecord, 'id'>, readonly [number, number]> = {
  durationMinutes: [1, 31 * DAY],
  slotIntervalMinutes: [1, Number.MAX_SAFE_INTEGER],
  bufferBeforeMinutes: [0, Number.MAX_SAFE_INTEGER],
  bufferAfterMinutes: [0, Number.MAX_SAFE_INTEGER],
  capacity: [1, Number.MAX_SAFE_INTEGER],
  minLeadMinutes: [0, Number.MAX_SAFE_INTEGER],
  maxAdvanceDays: [0, Number.MAX_SAFE_INTEGER],
};

/**
 * Validates the numbers of a service, in minutes. Invalid ones could make the engine loop forever.
 * @throws RangeError that names the field that is out of range.
 */
export function prepareService(record: ServiceRecord): PreparedService {
  for (const field of Object.keys(LIMITS) as (keyof typeof LIMITS)[]) {
    const [least, greatest] = LIMITS[field];
    const value = record[field];
    if (!Number.isSafeInteger(value) || value < least || value > greatest) {
      throw new RangeError(`${field} must be a whole number from ${least} to ${greatest}`);
    }
  }
  return { ...record };
}

const NO_HOURS: readonly Interval[] = [];

/** Returns the `hours` that start on the local days `firstDay` to `lastDay`, merged, in epoch minutes. */
export function hoursBetween(hours: WallHours, zone: Zone, firstDay: number, lastDay: number): Interval[] {
  const intervals: Interval[] = [];
  for (let day = firstDay; day <= lastDay; day++) {
    const wall = hours.dated.get(day) ?? hours.weekly.get(weekdayOf(day)) ?? NO_HOURS;
    // `boundaryInstant` would move the hours of a skipped date to the next day.
    if (wall.length === 0 || !dayExists(zone, day)) continue;
    for (const { from, to } of wall) {
      intervals.push({
        from: boundaryInstant(zone, day * DAY + from),
        to: boundaryInstant(zone, day * DAY + to),
      });
    }
  }
  return mergeIntervals(intervals);
}
