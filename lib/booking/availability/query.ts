import { boundaryInstant, DAY, parseDay } from '@/lib/platform/time-zones';
import type { Interval } from './intervals';
import type { PreparedLocation, PreparedService, PreparedSpecialist } from './prepare';

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
export interface StartWindow {
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

export interface PaddedRangeQuery extends DateRange {
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
