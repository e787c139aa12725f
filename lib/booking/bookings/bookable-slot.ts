import type { WriteTx } from '@/lib/platform/write-transaction';
import { type BookableSlot, checkSlot, paddedRange } from '../availability';
import { readClaims, type StoredClaim } from '../availability/claims';
import { type Offer, unavailable } from './resolve';

/**
 * Times that a write reads a slot and tries its specialists. If all of them were taken meanwhile, another one may have
 * become free: a slot that can be booked must not be refused.
 */
export const MAX_SLOT_READS = 2;

type Request = {
  offer: Offer;
  body: { date: string; start_time: string; specialist_id?: string | undefined };
  now: Date;
  /** The seat that a reschedule gives up; it counts as free. */
  exclude?: { specialistId: string; startsAt: number };
};

/** A slot that can be booked, and the claims of that day by which its specialists are ranked. */
export type FoundSlot = { slot: BookableSlot; claims: readonly StoredClaim[] };

/**
 * Returns the requested slot in its current state.
 * @throws AppError booking_unavailable with its reason (contract B7).
 */
export async function findBookableSlot(tx: WriteTx, { offer, body, now, exclude }: Request): Promise<FoundSlot> {
  if (!offer.published) throw unavailable('service_unpublished');
  const { service, location, specialists } = offer;
  const range = paddedRange({ service, location, date: body.date }) ?? { from: 0, to: 0 };
  const ids = specialists.map(({ id }) => id);
  // A reschedule ranks all specialists, even when the request names one: it prefers the present one.
  const read = exclude || body.specialist_id === undefined ? ids : ids.filter((id) => id === body.specialist_id);
  const claims = await readClaims(tx.queryArrays, read, range);
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
