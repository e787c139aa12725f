import { randomUUID } from 'node:crypto';
import type { Statement } from '@/lib/platform/sql';
import { formatInstant, ZONE_RULES, type Zone } from '@/lib/platform/time-zones';
import type { WriteTx } from '@/lib/platform/write-transaction';
import { type BookableSlot, claimedMinutes, type Interval, type SlotSpecialist } from '../availability';
import type { StoredClaim } from '../availability/claims';
import type { BookingRow } from './row';
import { DELETE_CLAIM, FREE_SEAT, LOCK_CLAIM } from './statements';

/**
 * Maximum number of tries to take a seat with one specialist. A try runs two statements: one takes a seat in an
 * existing claim, and the other creates a claim. Between them, a concurrent write can create or delete that claim. A
 * try can therefore fail although a seat is free.
 */
const MAX_TRIES = 3;

/**
 * Returns a slot's specialists in the order in which a write tries them: first the specialist `keep`, then specialists
 * with an open group claim, then the remaining specialists. Ties are ordered by the claimed minutes of the local day,
 * fewest first, then by id (contract B7).
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

/** A booking whose local date and time were just chosen. */
export type SeatRow = BookingRow & ReturnType<typeof slotColumns>;

/** Returns the columns of a booking that state when it is: the chosen local start, and what follows from it. */
export function slotColumns(
  { startsAt, endsAt }: BookableSlot,
  zone: Zone,
  { date, start_time }: { date: string; start_time: string },
) {
  const end = formatInstant(zone, endsAt);
  return {
    starts_at: instant(startsAt),
    ends_at: instant(endsAt),
    time_zone: zone.name,
    date,
    start_time,
    end_date: end.date,
    end_time: end.time,
  };
}

/** Returns the parameters of SQL that claims `slot`, or takes a seat in it, with the specialist in `row`. */
export function claimValues(row: SeatRow, slot: BookableSlot, capacity: number) {
  return {
    claimId: randomUUID(),
    specialistId: row.specialist_id,
    serviceId: row.service_id,
    locationId: row.location_id,
    startsAt: row.starts_at,
    endsAt: row.ends_at,
    timeZone: row.time_zone,
    date: row.date,
    startTime: row.start_time,
    endDate: row.end_date,
    endTime: row.end_time,
    zoneRules: ZONE_RULES,
    claimedFrom: instant(slot.from),
    claimedTo: instant(slot.to),
    capacity,
  };
}

/**
 * Two statements that make the same change to a booking. One creates a claim for it, and the other takes a free seat in
 * an existing claim.
 */
type SeatStatements<Values> = { inNewClaim: Statement<Values, unknown>; inOpenClaim: Statement<Values, unknown> };

/**
 * Creates or reschedules a booking, and takes a seat of `specialist` for it. Returns false if the specialist has no
 * free seat (architecture 4).
 */
export async function takeSeat<Values extends { capacity: number }>(
  tx: WriteTx,
  { inNewClaim, inOpenClaim }: SeatStatements<NoInfer<Values>>,
  specialist: SlotSpecialist,
  values: Values,
): Promise<boolean> {
  const isMade = async (statement: Statement<Values, unknown>) => (await tx.query(statement, values)).length > 0;
  // With a capacity of 1 and no open claim, only a new claim can provide a seat. If the claim cannot be inserted, a
  // concurrent write has taken the seat, so another try would also fail.
  if (values.capacity === 1 && !specialist.openClaim) return isMade(inNewClaim);
  const order = specialist.openClaim ? [inOpenClaim, inNewClaim] : [inNewClaim, inOpenClaim];
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    for (const statement of order) if (await isMade(statement)) return true;
  }
  return false;
}

/**
 * Frees one seat in a claim, or deletes the claim if no other seat is taken. The caller must have locked the booking.
 */
export async function freeSeat(tx: WriteTx, claimId: string): Promise<void> {
  // The claim is locked first, because a concurrent write may be changing the number of taken seats.
  const [claim] = await tx.query(LOCK_CLAIM, { claimId });
  if (claim) await tx.query(claim.taken > 1 ? FREE_SEAT : DELETE_CLAIM, { claimId });
}
