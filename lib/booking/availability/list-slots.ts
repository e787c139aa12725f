import { type Reader, readClaims } from './claims';
import {
  type ExcludedSeat,
  type PreparedLocation,
  type PreparedService,
  type PreparedSpecialist,
  paddedRange,
  slotsForRange,
} from './index';
import { slotsJson } from './slot-json';

/** A query for free slots, resolved against the catalog. */
export type ListSlotsQuery = {
  service: PreparedService;
  location: PreparedLocation;
  /** In the order of ids; empty when no specialist offers the service at the location. */
  specialists: readonly PreparedSpecialist[];
  date: string;
  dateTo: string | undefined;
  exclude: ExcludedSeat | null;
  /** Start of the last slot of the previous page, in epoch minutes. */
  after: number | null;
  limit: number;
  now: Date;
};

/** A page of slots as JSON; `last` is the start of its last slot in epoch minutes, null on the last page. */
export type SlotsPage = { slots: string; last: number | null };

/** Returns a page of free slots (contract B6). Runs one query. */
export async function listSlots(read: Reader, query: ListSlotsQuery): Promise<SlotsPage> {
  const { service, location, specialists, limit } = query;
  const resolved = { ...query, now: query.now.getTime() };
  const range = specialists.length > 0 ? paddedRange(resolved) : null;
  if (!range) return { slots: '[]', last: null };
  const ids = specialists.map(({ id }) => id);
  const claims = await readClaims(read, ids, range);
  // One more slot shows whether another page follows.
  const found = slotsForRange({ ...resolved, claims, limit: limit + 1 });
  const page = found.slice(0, limit);
  const last = found.length > limit ? (page.at(-1)?.startsAt ?? null) : null;
  return { slots: slotsJson(service, location, page), last };
}
