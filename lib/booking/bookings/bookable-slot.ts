import type { WriteTx } from '@/lib/platform/write-transaction';
import { type BookableSlot, checkSlot, paddedRange, type SlotCheck } from '../availability';
import { type Busy, readClaims, type StoredClaim } from '../availability/claims';
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

/**
 * A slot that can be booked, and the claims that `readBusyDay` returned. The claims determine the order of the
 * slot's specialists.
 */
export type FoundSlot = { slot: BookableSlot; claims: readonly StoredClaim[] };

/**
 * Returns the claims and blocks of all specialists of the offer on the slot's local day. If the request is a new booking
 * that names a specialist, returns only those of this specialist. The transaction holds the tenant's lock in shared
 * mode, so no block can appear until it ends (architecture 5).
 */
export function readBusyDay(tx: WriteTx, { offer, body, ownClaim }: SlotRequest): Promise<Busy<StoredClaim>> {
  const { service, location, specialists } = offer;
  const range = paddedRange({ service, location, date: body.date }) ?? { from: 0, to: 0 };
  const ids = specialists.map(({ id }) => id);
  const isOne = ownClaim === undefined && body.specialist_id !== undefined;
  const read = isOne ? ids.filter((id) => id === body.specialist_id) : ids;
  return readClaims(tx.queryArrays, { specialistIds: read, location, ...range, own: ownClaim ?? null });
}

/**
 * Returns the requested slot if it can be booked. `busy` contains the claims and blocks on the slot's day.
 * @throws AppError booking_unavailable with its reason (contract B7).
 */
export function bookableSlot({ offer, body, now }: SlotRequest, busy: Busy<StoredClaim>): FoundSlot {
  if (!offer.published) throw unavailable('service_unpublished');
  const check = checkRequest({ offer, body, now }, busy);
  if (!check.ok) throw unavailable(check.reason);
  return { slot: check.slot, claims: busy.claims };
}

/** Returns the requested slot if the slot engine offers it, or the reason why it does not. */
export function checkRequest({ offer, body, now }: SlotRequest, busy: Busy<StoredClaim>): SlotCheck {
  const { service, location, specialists } = offer;
  return checkSlot({
    service,
    location,
    specialists,
    ...busy,
    now: now.getTime(),
    date: body.date,
    startTime: body.start_time,
    specialistId: body.specialist_id,
  });
}
