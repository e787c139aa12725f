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

/** A question about free slots, resolved against the catalog. */
export type SlotsQuestion = {
  service: PreparedService;
  location: PreparedLocation;
  /** In the order of ids; empty when nobody offers the service there. */
  specialists: readonly PreparedSpecialist[];
  date: string;
  dateTo: string | undefined;
  exclude: ExcludedSeat | null;
  /** Epoch minutes of the last slot of the page before. */
  after: number | null;
  limit: number;
  now: Date;
};

/** A page of slots as JSON; `last` is the start to go on after, in epoch minutes, null on the last page. */
export type SlotsPage = { slots: string; last: number | null };

/** Returns a page of the free slots under the current rules (contract B6). One query. */
export async function listSlots(read: Reader, question: SlotsQuestion): Promise<SlotsPage> {
  const { service, location, specialists, limit } = question;
  const asked = { ...question, now: question.now.getTime() };
  const range = specialists.length > 0 ? paddedRange(asked) : null;
  if (!range) return { slots: '[]', last: null };
  const ids = specialists.map(({ id }) => id);
  const claims = await readClaims(read, ids, range);
  // One more than the page tells whether another follows.
  const found = slotsForRange({ ...asked, claims, limit: limit + 1 });
  const page = found.slice(0, limit);
  const last = found.length > limit ? (page.at(-1)?.startsAt ?? null) : null;
  return { slots: slotsJson(service, location, page), last };
}
