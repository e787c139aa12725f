import { boundaryInstant, DAY, parseDay } from '@/lib/platform/time-zones';
import type { PreparedLocation, PreparedService, PreparedSpecialist } from './prepare';

/** A stored claim. Its instants are in epoch minutes. Claims of one specialist overlap only after a change of time zone rules. */
export interface Claim {
  readonly specialistId: string;
  readonly serviceId: string;
  readonly locationId: string;
  readonly startsAt: number;
  /** The stored range [from, to) of the claim, which includes the buffers. */
  readonly from: number;
  readonly to: number;
  readonly capacity: number;
  readonly taken: number;
  /** Whether the booking that is being rescheduled has a seat of this claim. This seat counts as free (contract B6). */
  readonly isOwn?: boolean;
}

export interface SlotQuery {
  readonly service: PreparedService;
  readonly location: PreparedLocation;
  /** The published specialists who offer the service at the location, ordered by id. */
  readonly specialists: readonly PreparedSpecialist[];
  /**
   * The claims that overlap the range returned by `paddedRange`, in any order. A claim of a specialist who is not in
   * `specialists` is ignored.
   */
  readonly claims: readonly Claim[];
  /** Epoch milliseconds. */
  readonly now: number;
}

/** A range of local days. */
export interface DateRange {
  /** `YYYY-MM-DD` */
  readonly date: string;
  /** `YYYY-MM-DD`, inclusive, at most 30 days after `date`. Defaults to `date`. */
  readonly dateTo?: string | null;
  /** The start of the previous page's last slot, in epoch minutes. If set, only slots that start later are returned. */
  readonly after?: number | null;
}

const MAX_DAYS_AFTER = 30;

/**
 * Returns the earliest and the latest start that can be booked at `now`, inclusive, in epoch minutes (contract B6).
 * They result from the service's `minLeadMinutes` and `maxAdvanceDays`.
 */
export function bookableStarts(service: PreparedService, now: number): { earliest: number; latest: number } {
  // Starts are whole minutes, so `now` is rounded up for the earliest start and down for the latest start.
  return {
    earliest: Math.ceil(now / 60_000) + service.minLeadMinutes,
    latest: Math.floor(now / 60_000) + service.maxAdvanceDays * DAY,
  };
}

/**
 * The local days and the starts (epoch minutes) to consider, inclusive. If `firstDay > lastDay`, there are no days to
 * consider.
 */
export interface StartWindow {
  readonly firstDay: number;
  readonly lastDay: number;
  readonly earliest: number;
  readonly latest: number;
}

/**
 * Returns the local days and the starts to consider for a range of days. If `now` is null, `minLeadMinutes` and
 * `maxAdvanceDays` are ignored.
 * @throws RangeError if a date is malformed or `dateTo` is more than 30 days after `date`.
 */
export function startWindow(service: PreparedService, range: DateRange, now: number | null): StartWindow {
  const date = parseDay(range.date);
  const dateTo = range.dateTo == null ? date : parseDay(range.dateTo);
  if (dateTo - date > MAX_DAYS_AFTER) throw new RangeError('date_to must be at most 30 days after date');
  let { earliest, latest } = now === null ? { earliest: -Infinity, latest: Infinity } : bookableStarts(service, now);
  if (range.after != null) earliest = Math.max(earliest, range.after + 1);
  // The divisions give UTC days. A local day is at most one day earlier or later than the UTC day.
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
  /** The current time in epoch milliseconds. If omitted or null, `minLeadMinutes` and `maxAdvanceDays` are ignored. */
  readonly now?: number | null;
}

/**
 * Returns the range [from, to), in epoch minutes, for which claims must be read. Returns null if no start on the
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
