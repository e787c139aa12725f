import { formatDay } from '@/lib/platform/time-zones';
import { roomOf } from './claims';
import {
  type PreparedLocation,
  type PreparedService,
  type PreparedSpecialist,
  paddedRange,
  startWindow,
} from './input';
import type { BusyReader } from './shared-reads';
import { type Slot, slotsForRange } from './slots';

export type ListSlotsQuery = {
  service: PreparedService;
  location: PreparedLocation;
  /** Ordered by id. Can be empty. */
  specialists: readonly PreparedSpecialist[];
  date: string;
  dateTo: string | undefined;
  /** The id of the claim of the booking that is being rescheduled. Its seat counts as free. Null if there is none. */
  ownClaim: string | null;
  /** Epoch minutes, of the last slot of the previous page. */
  after: number | null;
  limit: number;
  now: Date;
};

/** `last` is the start of the page's last slot in epoch minutes, or null if no page follows. */
export type SlotsPage = { slots: Slot[]; last: number | null };

/** Days of the first read, which usually fill the page. A query for 31 days takes reads of 4, 12, and 15 days. */
const FIRST_DAYS = 4;
const GROWTH = 3;

/** Returns a page of free slots (contract B6). Reads the claims and blocks of a few days at a time, until the page is full. */
export async function listSlots(read: BusyReader, query: ListSlotsQuery): Promise<SlotsPage> {
  const { specialists, limit } = query;
  const found = specialists.length > 0 ? await findSlots(read, query, limit + 1) : [];
  const slots = found.slice(0, limit);
  return { slots, last: found.length > limit ? (slots.at(-1)?.startsAt ?? null) : null };
}

async function findSlots(read: BusyReader, query: ListSlotsQuery, limit: number): Promise<Slot[]> {
  const ids = query.specialists.map(({ id }) => id);
  const now = query.now.getTime();
  const { firstDay, lastDay } = startWindow(query.service, query, now);
  const slots: Slot[] = [];
  let days = FIRST_DAYS;
  for (let day = firstDay; day <= lastDay && slots.length < limit; day += days, days *= GROWTH) {
    const window = { date: formatDay(day), dateTo: formatDay(Math.min(day + days - 1, lastDay)) };
    const range = paddedRange({ ...query, ...window, now });
    if (!range) continue;
    const { location, ownClaim: own } = query;
    const busy = await read({ specialistIds: ids, location, ranges: [range], room: roomOf(query.service), own });
    slots.push(...slotsForRange({ ...query, ...window, ...busy, now, limit: limit - slots.length }));
  }
  return slots;
}
