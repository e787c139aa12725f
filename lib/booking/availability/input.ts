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

/** Whole minutes [from, to). */
export interface Interval {
  readonly from: number;
  readonly to: number;
}

/** Merges intervals that overlap or touch, and drops empty ones. The result is sorted and disjoint. */
export function mergeIntervals(intervals: readonly Interval[]): Interval[] {
  let sorted = intervals;
  for (let i = 1; i < intervals.length; i++) {
    // When clocks go forward, a start in the skipped hour moves to a later time, possibly past the next interval's.
    if ((intervals[i]?.from ?? 0) < (intervals[i - 1]?.from ?? 0)) {
      sorted = [...intervals].sort((a, b) => a.from - b.from);
      break;
    }
  }
  const merged: Interval[] = [];
  let current: Interval | null = null;
  for (const next of sorted) {
    if (next.to <= next.from) continue;
    if (current === null || next.from > current.to) {
      if (current !== null) merged.push(current);
      current = next;
    } else if (next.to > current.to) {
      current = { from: current.from, to: next.to };
    }
  }
  if (current !== null) merged.push(current);
  return merged;
}

/** Returns the intersection. The intervals of each list, and of the result, are sorted and disjoint. */
export function intersectIntervals(left: readonly Interval[], right: readonly Interval[]): Interval[] {
  const common: Interval[] = [];
  let i = 0;
  let j = 0;
  while (i < left.length && j < right.length) {
    const a = left[i];
    const b = right[j];
    if (a === undefined || b === undefined) break;
    const from = Math.max(a.from, b.from);
    const to = Math.min(a.to, b.to);
    if (from < to) common.push({ from, to });
    if (a.to < b.to) i++;
    else j++;
  }
  return common;
}

/** Returns `whole` without `removed`. The intervals of each list, and of the result, are sorted and disjoint. */
export function subtractIntervals(whole: readonly Interval[], removed: readonly Interval[]): readonly Interval[] {
  if (removed.length === 0) return whole;
  const rest: Interval[] = [];
  let next = 0;
  for (const { from, to } of whole) {
    while ((removed[next]?.to ?? to) < from) next++;
    let start = from;
    for (let i = next; i < removed.length; i++) {
      const hole = removed[i];
      if (hole === undefined || hole.from >= to) break;
      if (hole.from > start) rest.push({ from: start, to: hole.from });
      start = hole.to;
    }
    if (start < to) rest.push({ from: start, to });
  }
  return rest;
}

/**
 * Returns a function that tells whether one of the intervals, which are sorted and disjoint, has a minute. The minutes that
 * it is asked for must not decrease.
 */
export function memberOf(intervals: readonly Interval[]): (minute: number) => boolean {
  let next = 0;
  return (minute) => {
    while ((intervals[next]?.to ?? Infinity) <= minute) next++;
    return (intervals[next]?.from ?? Infinity) <= minute;
  };
}

/** `HH:MM`. `closes` can be 24:00. If it is not after `opens`, the hours end on the next day (contract B6). */
export interface HoursRecord {
  readonly opens: string;
  readonly closes: string;
}

/** Weekday 1 is Monday, 7 is Sunday. */
export interface WeeklyHoursRecord extends HoursRecord {
  readonly weekday: number;
}

/** Replaces the weekly hours that start on one date. */
export interface ExceptionRecord {
  /** `YYYY-MM-DD` */
  readonly date: string;
  readonly hours?: readonly HoursRecord[] | null;
}

/** `YYYY-MM-DDTHH:MM`, local. `from` is inclusive, `to` is exclusive. */
export interface TimeOffRecord {
  readonly from: string;
  readonly to: string;
}

/** Without opening hours, the location is closed. */
export interface LocationRecord {
  readonly id: string;
  /** The tenant, whose blocks close all its locations. */
  readonly tenantId: string;
  /** The IANA name of the time zone. */
  readonly timeZone: string;
  readonly opening: readonly WeeklyHoursRecord[];
  readonly exceptions?: readonly ExceptionRecord[] | null;
}

/** At one location. */
export interface SpecialistRecord {
  readonly id: string;
  readonly working: readonly WeeklyHoursRecord[];
  readonly breaks?: readonly WeeklyHoursRecord[] | null;
  readonly exceptions?: readonly ExceptionRecord[] | null;
  readonly timeOff?: readonly TimeOffRecord[] | null;
}

export interface ServiceRecord {
  readonly id: string;
  readonly durationMinutes: number;
  readonly slotIntervalMinutes: number;
  readonly bufferBeforeMinutes: number;
  readonly bufferAfterMinutes: number;
  readonly capacity: number;
  readonly minLeadMinutes: number;
  readonly maxAdvanceDays: number;
}

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

/*
 * The pure functions of this folder compute slots from a prepared catalog, claims, and `now` (contract B6, contract B7).
 * Instants are in whole epoch minutes, but `now` is in epoch milliseconds.
 */

/** A stored claim. Its instants are in epoch minutes. Claims of one specialist overlap only after a change of time zone rules. */
export interface Claim {
  readonly specialistId: string;
  readonly serviceId: string;
  readonly locationId: string;
  readonly startsAt: number;
  /** The stored range [from, to), buffers included. */
  readonly from: number;
  readonly to: number;
  readonly capacity: number;
  readonly taken: number;
  /** Whether the booking that is being rescheduled has a seat of this claim. This seat counts as free (contract B6). */
  readonly isOwn?: boolean;
}

/**
 * A part of a block on one local day. `from` and `to` are local minutes: days since 1970-01-01 × 1440 + minutes since
 * midnight, in the time zone of the location whose slots are computed.
 */
export interface BlockedTime extends Interval {
  /** The id of the specialist, the location, or the tenant whose time is blocked. */
  readonly subjectId: string;
}

export interface SlotQuery {
  readonly service: PreparedService;
  readonly location: PreparedLocation;
  /** Published, offering the service at the location, ordered by id. */
  readonly specialists: readonly PreparedSpecialist[];
  /** Those that overlap the range of `paddedRange`, in any order. Other specialists' claims are ignored. */
  readonly claims: readonly Claim[];
  /**
   * The blocks of the specialists, the location, and the tenant on all local days of the same range, in any order.
   * Blocks of other subjects are ignored.
   */
  readonly blocks: readonly BlockedTime[];
  /** Epoch milliseconds. */
  readonly now: number;
}

/** Local days. */
export interface DateRange {
  /** `YYYY-MM-DD` */
  readonly date: string;
  /** `YYYY-MM-DD`, inclusive, at most 30 days after `date`. Defaults to `date`. */
  readonly dateTo?: string | null;
  /** Epoch minutes. Only slots that start later are returned. */
  readonly after?: number | null;
}

const MAX_DAYS_AFTER = 30;

/** Returns the earliest and the latest bookable start at `now`, inclusive, in epoch minutes (contract B6). */
export function bookableStarts(service: PreparedService, now: number): { earliest: number; latest: number } {
  // Starts are whole minutes, so `now` is rounded up for the earliest start and down for the latest start.
  return {
    earliest: Math.ceil(now / 60_000) + service.minLeadMinutes,
    latest: Math.floor(now / 60_000) + service.maxAdvanceDays * DAY,
  };
}

/** Starts are epoch minutes, inclusive. If `firstDay > lastDay`, there are none. */
interface StartWindow {
  readonly firstDay: number;
  readonly lastDay: number;
  readonly earliest: number;
  readonly latest: number;
}

/**
 * Returns the local days and the starts to consider. If `now` is null, lead time and `maxAdvanceDays` are ignored.
 * @throws RangeError if a date is malformed or `dateTo` is more than 30 days after `date`.
 */
export function startWindow(service: PreparedService, range: DateRange, now: number | null): StartWindow {
  const date = parseDay(range.date);
  const dateTo = range.dateTo == null ? date : parseDay(range.dateTo);
  if (dateTo - date > MAX_DAYS_AFTER) throw new RangeError('date_to must be at most 30 days after date');
  let { earliest, latest } = now === null ? { earliest: -Infinity, latest: Infinity } : bookableStarts(service, now);
  if (range.after != null) earliest = Math.max(earliest, range.after + 1);
  // A local day is at most one day earlier or later than the UTC day.
  return {
    firstDay: Math.max(date, Math.floor(earliest / DAY) - 1),
    lastDay: Math.min(dateTo, Math.floor(latest / DAY) + 1),
    earliest,
    latest,
  };
}

interface PaddedRangeQuery extends DateRange {
  readonly service: PreparedService;
  readonly location: PreparedLocation;
  /** Epoch milliseconds. If omitted or null, `minLeadMinutes` and `maxAdvanceDays` are ignored. */
  readonly now?: number | null;
}

/**
 * Returns the range [from, to), in epoch minutes, for which claims and blocks must be read. Returns null if no start on the
 * query's days can be offered. If `now` is omitted, the range covers whole local days. Writes omit it, because they
 * rank specialists by all their claims on the day (contract B6, contract B7).
 * @throws RangeError if a date is malformed or `dateTo` is more than 30 days after `date`.
 */
export function paddedRange(query: PaddedRangeQuery): { from: number; to: number } | null {
  const { service, location } = query;
  const window = startWindow(service, query, query.now ?? null);
  if (window.firstDay > window.lastDay) return null;
  const first = Math.max(window.earliest, boundaryInstant(location.zone, window.firstDay * DAY));
  const last = Math.min(window.latest, boundaryInstant(location.zone, (window.lastDay + 1) * DAY) - 1);
  if (first > last) return null;
  return {
    from: first - service.bufferBeforeMinutes,
    to: last + service.durationMinutes + service.bufferAfterMinutes,
  };
}
