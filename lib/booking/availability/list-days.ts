import { boundaryInstant, DAY, formatDay, formatInstant, parseDay } from '@/lib/platform/time-zones';
import { MEDIUM_DAYS } from '../read-turns';
import { roomOf } from './claims';
import {
  bookableStarts,
  type Interval,
  mergeIntervals,
  type PreparedLocation,
  type PreparedService,
  type PreparedSpecialist,
  paddedRange,
} from './input';
import type { BusyReader } from './shared-reads';
import { type Slot, type SlotsQuery, slotsForRange } from './slots';

/** A service at a location, with the specialists whose slots count, ordered by id. */
export type Combination = {
  service: PreparedService;
  location: PreparedLocation;
  specialists: readonly PreparedSpecialist[];
};

/** Local days, inclusive. */
type Days = { first: number; last: number };

/**
 * Specialist days that one query reads, and that are computed without a pause for other requests. They take about 5 ms
 * of processor time.
 */
const STEP = 930;
/** Days of one step. The slot engine computes at most 31 at a time. */
const MAX_STEP_DAYS = 31;
/**
 * Minutes of each day's starts that a wide read considers first. If many specialists work, one of them usually has a free
 * seat in the first hour, so the read needs few of their claims.
 */
const EARLY = 60;
/** The search for the next slot begins with this many days, because it usually finds one there. */
const FIRST_DAYS = 4;
const GROWTH = 3;

/** Returns the first free slot of each local day that has one, in order (contract B17). */
export async function firstSlots(
  read: BusyReader,
  combination: Combination,
  date: string,
  dateTo: string,
  now: Date,
): Promise<Slot[]> {
  const { service, specialists } = combination;
  if (specialists.length === 0) return [];
  const { first, last } = bookableDays(service, parseDay(date), now);
  const end = Math.min(last, parseDay(dateTo));
  const slots: Slot[] = [];
  const step = stepDays(specialists.length);
  for (let day = first; day <= end; day += step) {
    slots.push(...(await firstOfDays(read, combination, { first: day, last: Math.min(day + step - 1, end) }, now)));
  }
  return slots;
}

/**
 * Returns the first free slots of one step. A wide step first reads the claims of the starts soon after the first one at which
 * somebody works, and then those of the later starts, but only of days without a slot so far.
 */
async function firstOfDays(read: BusyReader, combination: Combination, days: Days, now: Date): Promise<Slot[]> {
  const { location, specialists } = combination;
  if ((days.last - days.first + 1) * specialists.length <= MEDIUM_DAYS) {
    return slotsOf(read, combination, days, now, { firstOfDay: true });
  }
  const range = rangeOf(days);
  const working = slotsForRange({ ...combination, ...range, ...FREE, now: now.getTime(), firstOfDay: true });
  const early = working.map(({ startsAt }) => ({ from: startsAt, to: startsAt + EARLY }));
  const found = await slotsOf(read, combination, days, now, { firstOfDay: true, starts: mergeIntervals(early) });
  const dayOf = ({ startsAt }: Slot) => parseDay(formatInstant(location.zone, startsAt).date);
  const done = new Set(found.map(dayOf));
  const late = working.flatMap((slot) => {
    const day = dayOf(slot);
    const to = boundaryInstant(location.zone, (day + 1) * DAY);
    return done.has(day) ? [] : [{ from: slot.startsAt + EARLY, to }];
  });
  const rest = await slotsOf(read, combination, days, now, { firstOfDay: true, starts: mergeIntervals(late) });
  return [...found, ...rest].sort((a, b) => a.startsAt - b.startsAt);
}

const FREE = { claims: [], blocks: [] };

export type NextSlot = {
  slot: Slot | null;
  /** The last local day that was searched. */
  searchedTo: string;
  /** Whether later days cannot have the slot that was searched. */
  complete: boolean;
  /** Specialist days that were read. */
  read: number;
};

/**
 * Returns the next free slot from a local day on, up to the latest bookable start (contract B17). Reads at most `budget` specialist days, but at least one day.
 */
export async function nextSlot(
  read: BusyReader,
  combination: Combination,
  date: string,
  now: Date,
  budget: number,
): Promise<NextSlot> {
  const { service, location, specialists } = combination;
  const { first, last } = bookableDays(service, parseDay(date), now);
  const nothing = { slot: null, searchedTo: formatDay(Math.max(last, parseDay(date))), complete: true };
  if (specialists.length === 0 || first > last) return { ...nothing, read: 0 };
  const end = Math.min(last, first + Math.max(1, Math.floor(budget / specialists.length)) - 1);
  const most = stepDays(specialists.length);
  let days = Math.min(FIRST_DAYS, most);
  for (let day = first; day <= end; day += days, days = Math.min(days * GROWTH, most)) {
    const step = { first: day, last: Math.min(day + days - 1, end) };
    const [slot] = await slotsOf(read, combination, step, now, { limit: 1 });
    if (!slot) continue;
    const searchedTo = formatInstant(location.zone, slot.startsAt).date;
    return { slot, searchedTo, complete: true, read: (step.last - first + 1) * specialists.length };
  }
  const searched = { searchedTo: formatDay(end), complete: end >= last };
  return {
    ...(searched.complete ? nothing : { slot: null, ...searched }),
    read: (end - first + 1) * specialists.length,
  };
}

function stepDays(specialists: number): number {
  return Math.max(1, Math.min(MAX_STEP_DAYS, Math.floor(STEP / specialists)));
}

/** Returns the local days from `date` on that can have a bookable start. A local day differs from the UTC day by at most one. */
function bookableDays(service: PreparedService, date: number, now: Date): Days {
  const { earliest, latest } = bookableStarts(service, now.getTime());
  return { first: Math.max(date, Math.floor(earliest / DAY) - 1), last: Math.floor(latest / DAY) + 1 };
}

const rangeOf = ({ first, last }: Days) => ({ date: formatDay(first), dateTo: formatDay(last) });

type Wanted = Pick<SlotsQuery, 'limit' | 'firstOfDay' | 'starts'>;

async function slotsOf(
  read: BusyReader,
  { service, location, specialists }: Combination,
  days: Days,
  now: Date,
  wanted: Wanted,
): Promise<Slot[]> {
  const query = { service, location, ...rangeOf(days), now: now.getTime() };
  const range = paddedRange(query);
  const ranges = wanted.starts ? wanted.starts.map((starts) => padded(starts, service)) : range ? [range] : [];
  if (ranges.length === 0) return [];
  const specialistIds = specialists.map(({ id }) => id);
  const busy = await read({ specialistIds, location, ranges: mergeIntervals(ranges), room: roomOf(service) });
  return slotsForRange({ ...query, ...busy, ...wanted, specialists });
}

/** Returns the range of the claims and blocks on which appointments that start in an interval depend. */
function padded({ from, to }: Interval, service: PreparedService): Interval {
  return {
    from: from - service.bufferBeforeMinutes,
    to: to - 1 + service.durationMinutes + service.bufferAfterMinutes,
  };
}
