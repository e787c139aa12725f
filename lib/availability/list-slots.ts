import type { z } from 'zod';
import type { slot as slotSchema } from '../contract/availability';
import { type Reader, readClaims } from './claims';
import {
  type ExcludedSeat,
  formatSlotTimes,
  type PreparedLocation,
  type PreparedService,
  type PreparedSpecialist,
  paddedRange,
  type Slot,
  slotsForRange,
} from './index';

/** A question about free slots, resolved against the catalogue. */
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

/** A page of slots; `last` is the start to go on after, in epoch minutes, null on the last page. */
export type SlotsPage = { slots: z.output<typeof slotSchema>[]; last: number | null };

/** Returns a page of the free slots under the current rules (contract B6). One query. */
export async function listSlots(read: Reader, question: SlotsQuestion): Promise<SlotsPage> {
  const { service, location, specialists, limit } = question;
  const asked = { ...question, now: question.now.getTime() };
  const range = specialists.length > 0 ? paddedRange(asked) : null;
  if (!range) return { slots: [], last: null };
  const ids = specialists.map(({ id }) => id);
  const claims = await readClaims(read, ids, range);
  // One more than the page tells whether another follows.
  const found = slotsForRange({ ...asked, claims, limit: limit + 1 });
  const page = found.slice(0, limit);
  const last = found.length > limit ? (page.at(-1)?.startsAt ?? null) : null;
  return { slots: page.map((slot) => slotRecord(service, location, slot)), last };
}

function slotRecord(service: PreparedService, location: PreparedLocation, slot: Slot): z.output<typeof slotSchema> {
  return {
    ...formatSlotTimes(location, slot),
    service_id: service.id,
    location_id: location.id,
    available_capacity: slot.availableCapacity,
    specialist_ids: slot.specialists.map(({ specialistId }) => specialistId),
  };
}
