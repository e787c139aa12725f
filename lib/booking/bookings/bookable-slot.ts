import type { WriteTx } from '@/lib/platform/write-transaction';
import { type BookableSlot, checkSlot, paddedRange } from '../availability';
import { readClaims, type StoredClaim } from '../availability/claims';
import { type Offer, unavailable } from './resolve';

/**
 * Maximum number of times that a write reads which specialists are free for the requested slot. The write reads again
 * if concurrent writes took all these specialists after the first read. Others may have become free in the meantime.
 */
export const MAX_SLOT_READS = 2;

/** A slot to book. `exclude` is the seat of the booking that is being rescheduled. This seat counts as free. */
export type SlotRequest = {
  offer: Offer;
  body: { date: string; start_time: string; specialist_id?: string | undefined };
  now: Date;
  exclude?: { specialistId: string; startsAt: number };
};

/**
 * A slot that can be booked, and the claims that `readClaimsOfDay` returned. The claims determine the order of the
 * slot's specialists.
 */
export type FoundSlot = { slot: BookableSlot; claims: readonly StoredClaim[] };

/**
 * Returns the claims of all specialists of the offer on the slot's local day. If the request is a new booking that
 * names a specialist, returns only this specialist's claims.
 */
export function readClaimsOfDay(tx: WriteTx, { offer, body, exclude }: SlotRequest): Promise<StoredClaim[]> {
  const { service, location, specialists } = offer;
  const range = paddedRange({ service, location, date: body.date }) ?? { from: 0, to: 0 };
  const ids = specialists.map(({ id }) => id);
  const read = exclude || body.specialist_id === undefined ? ids : ids.filter((id) => id === body.specialist_id);
  return readClaims(tx.queryArrays, read, range);
}

/**
 * Returns the requested slot if it can be booked. `claims` are the claims on the slot's day.
 * @throws AppError booking_unavailable with its reason (contract B7).
 */
export function bookableSlot({ offer, body, now, exclude }: SlotRequest, claims: readonly StoredClaim[]): FoundSlot {
  if (!offer.published) throw unavailable('service_unpublished');
  const { service, location, specialists } = offer;
  const check = checkSlot({
    service,
    location,
    specialists,
    claims,
    exclude: exclude ?? null,
    now: now.getTime(),
    date: body.date,
    startTime: body.start_time,
    specialistId: body.specialist_id,
  });
  if (!check.ok) throw unavailable(check.reason);
  return { slot: check.slot, claims };
}
