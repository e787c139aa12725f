import { randomUUID } from 'node:crypto';
import type { Statement } from '@/lib/platform/sql';
import type { WriteTx } from '@/lib/platform/write-transaction';
import { type BookableSlot, claimedMinutes, type Interval, type SlotSpecialist } from '../availability';
import type { StoredClaim } from '../availability/claims';
import type { BookingRow } from './row';
import { DELETE_CLAIM, FREE_SEAT, LOCK_CLAIM } from './statements';

/**
 * Maximum number of attempts to take a seat with one specialist. An attempt can fail although a seat is left, because
 * the claim of a group may be deleted or created between two statements.
 */
const MAX_TRIES = 3;

/**
 * Returns the specialists of a slot in the order in which they are tried: first the specialist `keep`, then those with
 * an open claim of a group, then the others. Within these, the specialist with the fewest claimed minutes on the local
 * day comes first, then the one with the lowest id (contract B7).
 */
export function rankSpecialists(
  slot: BookableSlot,
  claims: readonly StoredClaim[],
  day: Interval,
  keep: string | null = null,
): readonly SlotSpecialist[] {
  const ranked = slot.specialists.map((specialist) => {
    const own = claims.filter((claim) => claim.specialistId === specialist.specialistId);
    return { specialist, minutes: claimedMinutes(own, day) };
  });
  const group = (candidate: SlotSpecialist) => (candidate.specialistId === keep ? 0 : candidate.openClaim ? 1 : 2);
  ranked.sort(
    (a, b) =>
      group(a.specialist) - group(b.specialist) ||
      a.minutes - b.minutes ||
      (a.specialist.specialistId < b.specialist.specialistId ? -1 : 1),
  );
  return ranked.map(({ specialist }) => specialist);
}

const instant = (minutes: number) => new Date(minutes * 60_000);

/** Returns the values that a statement needs to take a seat in `slot` with the specialist of `row`. */
export function claimValues(row: BookingRow, slot: BookableSlot, capacity: number) {
  return {
    claimId: randomUUID(),
    specialistId: row.specialist_id,
    serviceId: row.service_id,
    locationId: row.location_id,
    startsAt: row.starts_at,
    endsAt: row.ends_at,
    claimedFrom: instant(slot.from),
    claimedTo: instant(slot.to),
    capacity,
  };
}

/**
 * The two statements of a change that takes a seat: `firstGuest` takes it in a new claim, `furtherGuest` in the open
 * claim of a group.
 */
type SeatStatements<Values> = { firstGuest: Statement<Values, unknown>; furtherGuest: Statement<Values, unknown> };

/**
 * Runs a change that takes a seat with one specialist. Returns false if the specialist has no seat left
 * (architecture 4).
 */
export async function takeSeat<Values extends { capacity: number }>(
  tx: WriteTx,
  { firstGuest, furtherGuest }: SeatStatements<NoInfer<Values>>,
  specialist: SlotSpecialist,
  values: Values,
): Promise<boolean> {
  const isMade = async (statement: Statement<Values, unknown>) => (await tx.query(statement, values)).length > 0;
  // The service has only one seat. If it was taken in the meantime, a retry cannot succeed.
  if (values.capacity === 1 && !specialist.openClaim) return isMade(firstGuest);
  const order = specialist.openClaim ? [furtherGuest, firstGuest] : [firstGuest, furtherGuest];
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    for (const statement of order) if (await isMade(statement)) return true;
  }
  return false;
}

/**
 * Frees one seat of a claim, or deletes the claim if this is its only taken seat. The caller must have locked the
 * booking.
 */
export async function freeSeat(tx: WriteTx, claimId: string): Promise<void> {
  // The claim is locked before its taken seats are read, because another write may be changing them.
  const [claim] = await tx.query(LOCK_CLAIM, { claimId });
  if (claim) await tx.query(claim.taken > 1 ? FREE_SEAT : DELETE_CLAIM, { claimId });
}
