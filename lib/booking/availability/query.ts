import { DAY, parseDay } from './calendar';
import { boundaryInstant } from './local-time';
import type { PreparedLocation, PreparedService, PreparedSpecialist } from './prepare';

/** A stored claim; instants are in epoch minutes. Claims of one specialist never overlap. */
export interface Claim {
  readonly specialistId: string;
  readonly serviceId: string;
  readonly locationId: string;
  readonly startsAt: number;
  /** The stored padded range [from, to), which includes the buffers. */
  readonly from: number;
  readonly to: number;
  readonly capacity: number;
  readonly taken: number;
}

/** The claim of the caller's booking, of which one seat counts as free (contract B6, `exclude_reference`). */
export interface ExcludedSeat {
  readonly specialistId: string;
  readonly startsAt: number;
}

/** The part that all queries of the engine have in common. */
export interface SlotQuery {
  readonly service: PreparedService;
  readonly location: PreparedLocation;
  /** The published specialists who offer the service at the location, in the order of ids. */
  readonly specialists: readonly PreparedSpecialist[];
  /** Claims in `paddedRange`, in any order; those of other specialists are ignored. */
  readonly claims: readonly Claim[];
  readonly exclude?: ExcludedSeat | null;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** A range of local days. */
export interface DateRange {
  /** `YYYY-MM-DD` */
  readonly date: string;
  /** `YYYY-MM-DD`, inclusive, at most 30 days after `date`; defaults to `date`. */
  readonly dateTo?: string | null;
  /** Only starts after this instant (epoch minutes). The cursor of a page is the start of its last slot. */
  readonly after?: number | null;
}

const MAX_DAYS_AFTER = 30;

/** Returns the starts that lead time and horizon allow at `now`, in epoch minutes, both inclusive (contract B6). */
export function bookableStarts(service: PreparedService, now: number): { earliest: number; latest: number } {
  // Starts are whole minutes, `now` is exact: round inward at both ends.
  return {
    earliest: Math.ceil(now / 60_000) + service.minLeadMinutes,
    latest: Math.floor(now / 60_000) + service.maxAdvanceDays * DAY,
  };
}

/** Local days and starts (epoch minutes, inclusive) to consider; none if `firstDay > lastDay`. */
export interface StartWindow {
  readonly firstDay: number;
  readonly lastDay: number;
  readonly earliest: number;
  readonly latest: number;
}

/**
 * Returns the window of a range; without `now`, lead time and horizon are ignored.
 * @throws RangeError when a date is malformed or `dateTo` is more than 30 days after `date`.
 */
export function startWindow(service: PreparedService, range: DateRange, now: number | null): StartWindow {
  const date = parseDay(range.date);
  const dateTo = range.dateTo == null ? date : parseDay(range.dateTo);
  if (dateTo - date > MAX_DAYS_AFTER) throw new RangeError('date_to must be at most 30 days after date');
  let { earliest, latest } = now === null ? { earliest: -Infinity, latest: Infinity } : bookableStarts(service, now);
  if (range.after != null) earliest = Math.max(earliest, range.after + 1);
  // Every time zone is less than a day from UTC, so one day on either side is enough.
  return {
    firstDay: Math.max(date, Math.floor(earliest / DAY) - 1),
    lastDay: Math.min(dateTo, Math.floor(latest / DAY) + 1),
    earliest,
    latest,
  };
}

/** The arguments of `paddedRange`. */
export interface PaddedRangeQuery extends DateRange {
  readonly service: PreparedService;
  readonly location: PreparedLocation;
  /** Epoch milliseconds; without it, lead time and horizon are ignored. */
  readonly now?: number | null;
}

/**
 * Returns the instants [from, to), in epoch minutes, that a query for claims must cover: only claims whose `during`
 * overlaps them can affect a slot of these days. Returns null when no start of these days can be offered. Omit `now` to
 * cover whole local days, which `claimedMinutes` requires on create (contract B6, contract B7).
 * @throws RangeError when a date is malformed or `dateTo` is more than 30 days after `date`.
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
