import type { WriteTx } from '@/lib/platform/write-transaction';
import { type BookableSlot, checkSlot, paddedRange } from '../availability';
import { readClaims, type StoredClaim } from '../availability/claims';
import type { StoredSuccess } from '../idempotency/store';
import { type Offer, unavailable } from './resolve';

/** Times that a slot is read and taken before it is said to be taken. */
const MAX_READS = 2;

type Asked = {
  offer: Offer;
  body: { date: string; start_time: string; specialist_id?: string | undefined };
  now: Date;
  /** A seat that the booking gives up by moving: free for it. */
  exclude?: { specialistId: string; startsAt: number };
};

export type Bookable = { slot: BookableSlot; claims: readonly StoredClaim[] };

/**
 * Reads the slot and lets `take` have it. Who loses the last specialist of what was read reads once more: another one
 * may have become free meanwhile, and a slot that can be booked is not refused.
 * @throws AppError booking_unavailable with its reason (contract B7).
 */
export async function takeBookable(
  tx: WriteTx,
  asked: Asked,
  take: (found: Bookable) => Promise<StoredSuccess | null>,
): Promise<StoredSuccess> {
  for (let reads = 0; reads < MAX_READS; reads += 1) {
    const success = await take(await findBookable(tx, asked));
    if (success) return success;
  }
  throw unavailable('slot_taken');
}

async function findBookable(tx: WriteTx, { offer, body, now, exclude }: Asked): Promise<Bookable> {
  if (!offer.published) throw unavailable('service_unpublished');
  const { service, location, specialists } = offer;
  const range = paddedRange({ service, location, date: body.date }) ?? { from: 0, to: 0 };
  const ids = specialists.map(({ id }) => id);
  // A move ranks every specialist, even if one was asked for: it would rather stay.
  const read = exclude || body.specialist_id === undefined ? ids : ids.filter((id) => id === body.specialist_id);
  const claims = await readClaims(tx.read, read, range);
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
