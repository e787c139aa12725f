import { DAY, parseDay } from './calendar';
import { boundaryInstant } from './local-time';
import type { PreparedLocation, PreparedService, PreparedSpecialist } from './prepare';

/** A claim on a specialist's time as stored; instants in epoch minutes. One specialist's claims never overlap. */
export interface Claim {
  readonly specialistId: string;
  readonly serviceId: string;
  readonly locationId: string;
  readonly startsAt: number;
  /** The stored padded range [from, to), the claim's own buffers included. */
  readonly from: number;
  readonly to: number;
  readonly capacity: number;
  readonly taken: number;
}

/** Names the claim of one own booking, of which one seat counts as free (contract B6, `exclude_reference`). */
export interface ExcludedSeat {
  readonly specialistId: string;
  readonly startsAt: number;
}

/** What every question to the engine needs. */
export interface SlotQuery {
  readonly service: PreparedService;
  readonly location: PreparedLocation;
  /** The published specialists who offer the service at the location, in the order of `specialist_ids` (by id). */
  readonly specialists: readonly PreparedSpecialist[];
  /** Claims in `paddedRange`, any order; those of other specialists are ignored. */
  readonly claims: readonly Claim[];
  readonly exclude?: ExcludedSeat | null;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** The days of a question about a range. */
export interface DateRange {
  /** `YYYY-MM-DD` */
  readonly date: string;
  /** `YYYY-MM-DD`, inclusive, at most 30 days after `date`; left out, one day. */
  readonly dateTo?: string | null;
  /** Only starts after this instant (epoch minutes): the cursor of a page is the start of its last slot. */
  readonly after?: number | null;
}

const MAX_DAYS_AFTER = 30;

/** The starts, in epoch minutes and both inclusive, that lead time and horizon allow at `now` (contract B6). */
export function bookableStarts(service: PreparedService, now: number): { earliest: number; latest: number } {
  // Whole-minute starts against an exact instant: a second past the minute costs the minute at either end.
  return {
    earliest: Math.ceil(now / 60_000) + service.minLeadMinutes,
    latest: Math.floor(now / 60_000) + service.maxAdvanceDays * DAY,
  };
}

/** Which local days to walk and which starts (epoch minutes, inclusive) to keep; `firstDay > lastDay` means none. */
export interface StartWindow {
  readonly firstDay: number;
  readonly lastDay: number;
  readonly earliest: number;
  readonly latest: number;
}

/**
 * The window of a question about a range; without `now`, lead time and horizon do not narrow it.
 * @throws RangeError when a date is malformed or `dateTo` is more than 30 days after `date`
 */
export function startWindow(service: PreparedService, range: DateRange, now: number | null): StartWindow {
  const date = parseDay(range.date);
  const dateTo = range.dateTo == null ? date : parseDay(range.dateTo);
  if (dateTo - date > MAX_DAYS_AFTER) throw new RangeError('date_to must be at most 30 days after date');
  let { earliest, latest } = now === null ? { earliest: -Infinity, latest: Infinity } : bookableStarts(service, now);
  if (range.after != null) earliest = Math.max(earliest, range.after + 1);
  // No zone is more than a day away from UTC, so a day either side is enough.
  return {
    firstDay: Math.max(date, Math.floor(earliest / DAY) - 1),
    lastDay: Math.min(dateTo, Math.floor(latest / DAY) + 1),
    earliest,
    latest,
  };
}

/** What `paddedRange` needs. */
export interface PaddedRangeQuery extends DateRange {
  readonly service: PreparedService;
  readonly location: PreparedLocation;
  /** Epoch milliseconds; left out, lead time and horizon do not narrow the range (see `paddedRange`). */
  readonly now?: number | null;
}

/**
 * The instants [from, to), in epoch minutes, that a query for claims must cover: every claim whose stored `during`
 * overlaps them, and no other, can matter to a slot of these days. Null when no start of these days can be offered, so
 * no query is needed. Leave `now` out to cover the whole local days, which `claimedMinutes` needs on create (B6, B7).
 * @throws RangeError when a date is malformed or `dateTo` is more than 30 days after `date`
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
