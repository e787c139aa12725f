import { formatDay } from '@/lib/platform/time-zones';
import { busyClaims } from './busy-claims';
import type { PreparedLocation, PreparedService, PreparedSpecialist } from './prepare';
import { paddedRange, startWindow } from './query';
import type { ClaimsReader } from './shared-reads';
import { slotsForRange } from './slots';
import type { Slot } from './timeline';

/** A query for free slots. Service, location, and specialists come from the catalog. */
export type ListSlotsQuery = {
  service: PreparedService;
  location: PreparedLocation;
  /** The specialists who offer the service at the location, ordered by id. Can be empty. */
  specialists: readonly PreparedSpecialist[];
  date: string;
  dateTo: string | undefined;
  /** The id of the claim of the booking that is being rescheduled. Its seat counts as free. Null if there is none. */
  ownClaim: string | null;
  /** Start of the last slot of the previous page, in epoch minutes. Null for the first page. */
  after: number | null;
  limit: number;
  now: Date;
};

/** A page of slots. `last` is the start of the page's last slot in epoch minutes, or null if no page follows. */
export type SlotsPage = { slots: Slot[]; last: number | null };

/**
 * The first read covers `FIRST_DAYS` days, which usually fill the page. Each further read covers `GROWTH` times as many
 * days as the previous one. A query for 31 days takes at most three reads, of 4 days, 12 days, and the 15 that remain.
 */
const FIRST_DAYS = 4;
const GROWTH = 3;

/** Returns a page of free slots (contract B6). Reads the claims of a few days at a time, until the page is full. */
export async function listSlots(read: ClaimsReader, query: ListSlotsQuery): Promise<SlotsPage> {
  const { specialists, limit } = query;
  // If there is one slot more than the page holds, another page follows.
  const found = specialists.length > 0 ? await findSlots(read, query, limit + 1) : [];
  const slots = found.slice(0, limit);
  return { slots, last: found.length > limit ? (slots.at(-1)?.startsAt ?? null) : null };
}

async function findSlots(read: ClaimsReader, query: ListSlotsQuery, limit: number): Promise<Slot[]> {
  const ids = query.specialists.map(({ id }) => id);
  const now = query.now.getTime();
  const { firstDay, lastDay } = startWindow(query.service, query, now);
  const slots: Slot[] = [];
  let days = FIRST_DAYS;
  for (let day = firstDay; day <= lastDay && slots.length < limit; day += days, days *= GROWTH) {
    const window = { date: formatDay(day), dateTo: formatDay(Math.min(day + days - 1, lastDay)) };
    const range = paddedRange({ ...query, ...window, now });
    if (!range) continue;
    const claims = busyClaims(await read({ specialistIds: ids, ...range, own: query.ownClaim }), query.service);
    slots.push(...slotsForRange({ ...query, ...window, now, claims, limit: limit - slots.length }));
  }
  return slots;
}
