import { randomUUID } from 'node:crypto';
import type { WriteTx } from '@/lib/platform/write-transaction';
import { type BookableSlot, claimedMinutes, type Interval, type SlotSpecialist } from '../availability';
import type { StoredClaim } from '../availability/claims';
import { changeStatement, FIRST_OWN, type Records, runChange } from './write';

/** Times that a group's claim is tried: it may vanish, or come to be, between two statements. */
const MAX_TRIES = 3;

/**
 * Returns the specialists of a slot in the order in which they are tried: the one to keep, then who has an open group
 * claim, then the fewest minutes claimed on the local day, then by id (contract B7).
 */
export function candidates(
  slot: BookableSlot,
  claims: readonly StoredClaim[],
  day: Interval,
  keep: string | null = null,
): readonly SlotSpecialist[] {
  const ranked = slot.specialists.map((specialist) => {
    const own = claims.filter((claim) => claim.specialistId === specialist.specialistId);
    return { specialist, minutes: claimedMinutes(own, day) };
  });
  const order = (candidate: SlotSpecialist) => (candidate.specialistId === keep ? 0 : candidate.openClaim ? 1 : 2);
  ranked.sort(
    (a, b) =>
      order(a.specialist) - order(b.specialist) ||
      a.minutes - b.minutes ||
      (a.specialist.specialistId < b.specialist.specialistId ? -1 : 1),
  );
  return ranked.map(({ specialist }) => specialist);
}

// Own parameters of a claim, in this order: id, tenant, specialist, service, location, start, end, from, to, capacity.
const own = (index: number) => `$${FIRST_OWN + index}`;
const DURING = `tstzrange(${own(7)}::timestamptz, ${own(8)}::timestamptz)`;

/** Parameters that a claim takes. */
const CLAIM_PARAMETERS = 10;

/** The first parameter after those of the claim. */
export const AFTER_CLAIM = FIRST_OWN + CLAIM_PARAMETERS;

// A first guest. With a plain INSERT two guests who want one specialist deadlock; this one gives way instead.
const FIRST_GUEST = `claim AS (
      INSERT INTO slot_claims (id, tenant_id, specialist_id, service_id, location_id, starts_at, ends_at, during, capacity, taken)
      VALUES (${own(0)}::uuid, ${own(1)}::text, ${own(2)}::text, ${own(3)}::text, ${own(4)}::text, ${own(5)}::timestamptz,
        ${own(6)}::timestamptz, ${DURING}, ${own(9)}::int, 1)
      ON CONFLICT DO NOTHING RETURNING id)`;

// A further guest of exactly this service, location, start and padded range. The id and capacity of the claim are its
// own; mentioned only so that both statements take the same parameters.
const FURTHER_GUEST = `claim AS (
      UPDATE slot_claims SET taken = taken + 1
      WHERE ${own(0)}::uuid IS NOT NULL AND ${own(9)}::int IS NOT NULL AND tenant_id = ${own(1)}::text
        AND specialist_id = ${own(2)}::text AND service_id = ${own(3)}::text AND location_id = ${own(4)}::text
        AND starts_at = ${own(5)}::timestamptz AND ends_at = ${own(6)}::timestamptz AND during = ${DURING}
        AND taken < capacity
      RETURNING id)`;

/** The two statements of a change that takes a seat: `booking` is a CTE that reads from `claim`. */
export function seatStatements(name: string, booking: string) {
  return {
    first: changeStatement(`${name}-first-guest`, `${FIRST_GUEST},\n    ${booking}`),
    further: changeStatement(`${name}-further-guest`, `${FURTHER_GUEST},\n    ${booking}`),
  };
}

type Seat = {
  statements: ReturnType<typeof seatStatements>;
  slot: BookableSlot;
  specialist: SlotSpecialist;
  capacity: number;
  records: Records;
  /** The operation's parameters after those of the claim. */
  more: unknown[];
};

const at = (minutes: number) => new Date(minutes * 60_000);

/** Takes a seat with one specialist and makes the change with it; false when all are taken (architecture 4). */
export async function takeSeat(
  tx: WriteTx,
  { statements, slot, specialist, capacity, records, more }: Seat,
): Promise<boolean> {
  const { row } = records;
  const { startsAt, endsAt, from, to } = slot;
  const { tenant_id, specialist_id, service_id, location_id } = row;
  const claim = [
    randomUUID(),
    tenant_id,
    specialist_id,
    service_id,
    location_id,
    at(startsAt),
    at(endsAt),
    at(from),
    at(to),
    capacity,
  ];
  const run = (statement: (typeof statements)['first']) => runChange(tx, statement, records, [...claim, ...more]);
  // Without a group there is one seat: who loses it need not ask again.
  if (capacity === 1 && !specialist.openClaim) return run(statements.first);
  for (let attempt = 0; attempt < MAX_TRIES; attempt += 1) {
    const order = specialist.openClaim
      ? [statements.further, statements.first]
      : [statements.first, statements.further];
    for (const statement of order) if (await run(statement)) return true;
  }
  return false;
}

const LOCK_SEAT = { name: 'claim-lock', text: 'SELECT taken FROM slot_claims WHERE id = $1::uuid FOR UPDATE' };
const DELETE_CLAIM = { name: 'claim-delete', text: 'DELETE FROM slot_claims WHERE id = $1::uuid' };
const FREE_SEAT = { name: 'claim-free', text: 'UPDATE slot_claims SET taken = taken - 1 WHERE id = $1::uuid' };

/** Frees one seat of a claim; the last guest out deletes it. The caller holds the booking's row. */
export async function freeSeat(tx: WriteTx, claimId: string): Promise<void> {
  // Locked first, so that the number is the newest: another guest may be coming or going.
  const [claim] = await tx.query<{ taken: number }>(LOCK_SEAT, [claimId]);
  if (claim) await tx.query(claim.taken > 1 ? FREE_SEAT : DELETE_CLAIM, [claimId]);
}
