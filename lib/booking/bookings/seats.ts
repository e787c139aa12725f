import { randomUUID } from 'node:crypto';
import type { Statement } from '@/lib/platform/sql';
import { formatInstant, ZONE_RULES, type Zone } from '@/lib/platform/time-zones';
import type { WriteTx } from '@/lib/platform/write-transaction';
import { type BookableSlot, claimedMinutes, type Interval, type SlotSpecialist } from '../availability';
import type { StoredClaim } from '../availability/claims';
import type { BookingRow } from './row';
import { DELETE_CLAIM, FREE_SEAT, LOCK_CLAIM } from './statements';

/**
 * With one specialist. Between the two statements of a try, a concurrent write can create or delete the claim, so it
 * can fail although a seat is free.
 */
const MAX_TRIES = 3;

/**
 * Returns the order in which a write tries a slot's specialists: `keep`, those with an open group claim, then the rest.
 * Ties: the fewest claimed minutes of the local day, then the id (contract B7).
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

/** Its local date and time were just chosen. */
export type SeatRow = BookingRow & ReturnType<typeof slotColumns>;

/** Returns the columns that state when a booking is: the chosen local start, and what follows from it. */
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

/** The same change of a booking, in a new claim or in a free seat of an existing claim. */
type SeatStatements<Values> = { inNewClaim: Statement<Values, unknown>; inOpenClaim: Statement<Values, unknown> };

/** Creates or reschedules a booking with a seat of `specialist`. Returns false without a free seat (architecture 4). */
export async function takeSeat<Values extends { capacity: number }>(
  tx: WriteTx,
  { inNewClaim, inOpenClaim }: SeatStatements<NoInfer<Values>>,
  specialist: SlotSpecialist,
  values: Values,
): Promise<boolean> {
  const isMade = async (statement: Statement<Values, unknown>) => (await tx.query(statement, values)).length > 0;
  // Only a new claim can provide the seat. If it cannot be inserted, a concurrent write has taken the seat, so another
  // try would also fail.
  if (values.capacity === 1 && !specialist.openClaim) return isMade(inNewClaim);
  const order = specialist.openClaim ? [inOpenClaim, inNewClaim] : [inNewClaim, inOpenClaim];
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    for (const statement of order) if (await isMade(statement)) return true;
  }
  return false;
}

/** Frees one seat in a claim, or deletes an empty claim. The caller must have locked the booking. */
export async function freeSeat(tx: WriteTx, claimId: string): Promise<void> {
  // A concurrent write may be changing the number of taken seats.
  const [claim] = await tx.query(LOCK_CLAIM, { claimId });
  if (claim) await tx.query(claim.taken > 1 ? FREE_SEAT : DELETE_CLAIM, { claimId });
}
