import type { WriteTx } from '@/lib/platform/write-transaction';
import { type BookableSlot, checkSlot, paddedRange } from '../availability';
import { readClaims, type StoredClaim } from '../availability/claims';
import { type Offer, unavailable } from './resolve';

/** Concurrent writes can take all free specialists after a read. Others may have become free in the meantime. */
export const MAX_SLOT_READS = 2;

/**
 * A slot to book. `ownClaim` is the id of the claim of the booking that is being rescheduled, whose seat counts as free.
 * It is undefined for a new booking.
 */
export type SlotRequest = {
  offer: Offer;
  body: { date: string; start_time: string; specialist_id?: string | undefined };
  now: Date;
  ownClaim?: string | null;
};

/** The claims of `readClaimsOfDay` determine the order of the slot's specialists. */
export type FoundSlot = { slot: BookableSlot; claims: readonly StoredClaim[] };

/** Returns the claims of the offer's specialists on the slot's local day, or only those of a requested specialist. */
export function readClaimsOfDay(tx: WriteTx, { offer, body, ownClaim }: SlotRequest): Promise<StoredClaim[]> {
  const { service, location, specialists } = offer;
  const range = paddedRange({ service, location, date: body.date }) ?? { from: 0, to: 0 };
  const ids = specialists.map(({ id }) => id);
  const isOne = ownClaim === undefined && body.specialist_id !== undefined;
  const read = isOne ? ids.filter((id) => id === body.specialist_id) : ids;
  return readClaims(tx.queryArrays, read, { ...range, own: ownClaim ?? null });
}

/**
 * Returns the requested slot if it can be booked. `claims` are the claims on the slot's day.
 * @throws AppError booking_unavailable with its reason (contract B7).
 */
export function bookableSlot({ offer, body, now }: SlotRequest, claims: readonly StoredClaim[]): FoundSlot {
  if (!offer.published) throw unavailable('service_unpublished');
  const { service, location, specialists } = offer;
  const check = checkSlot({
    service,
    location,
    specialists,
    claims,
    now: now.getTime(),
    date: body.date,
    startTime: body.start_time,
    specialistId: body.specialist_id,
  });
  if (!check.ok) throw unavailable(check.reason);
  return { slot: check.slot, claims };
}
