import type { z } from 'zod';
import type { rescheduleBody } from '@/lib/contract/bookings';
import { notFound } from '@/lib/contract/errors/app-error';
import { lockKey } from '@/lib/platform/locks';
import type { WriteTx } from '@/lib/platform/write-transaction';
import { type BookableSlot, localDayBounds, type SlotSpecialist } from '../availability';
import { refuseStale } from '../catalog/stale';
import { type Outcome, writeOnce } from '../idempotency/once';
import type { StoredSuccess } from '../idempotency/store';
import { takeBookable } from './bookable';
import { checkChangeable } from './checks';
import { findInWrite } from './find';
import { type PartnerWrite, recordsOf } from './partner-write';
import { type Offer, resolveReschedule, unavailable } from './resolve';
import type { BookingRow } from './row';
import { AFTER_CLAIM, candidates, freeSeat, seatStatements, takeSeat } from './seats';

type Body = z.output<typeof rescheduleBody>;

const own = (index: number) => `$${AFTER_CLAIM + index}`;

const STATEMENTS = seatStatements(
  'booking-reschedule',
  `booking AS (
      UPDATE bookings SET claim_id = claim.id, version = $5::int, specialist_id = $18::text, starts_at = $21::timestamptz,
        ends_at = $22::timestamptz, time_zone = ${own(0)}::text, cancellation_cutoff_minutes = ${own(1)}::int,
        updated_at = $9::timestamptz
      FROM claim WHERE reference = $13::text RETURNING reference)`,
);

/**
 * Moves a booking of the calling application to another slot of its service and location (contract B7), or replays
 * that (B8). Old and new seat change hands in one transaction; if it fails, the booking is as it was.
 * @throws AppError not_found, booking_version_conflict, booking_unavailable with its reason.
 */
export async function rescheduleBooking(write: PartnerWrite, reference: string, body: Body): Promise<Outcome> {
  return writeOnce(write, async (tx) => {
    await refuseStale(tx, write.snapshot);
    return reschedule(tx, write, reference, body);
  });
}

async function reschedule(tx: WriteTx, write: PartnerWrite, reference: string, body: Body): Promise<StoredSuccess> {
  const seen = await findInWrite(tx, write.policy, reference, false);
  const { snapshot, now } = write;
  const offer = resolveReschedule(snapshot, seen.service_id, seen.location_id);
  await lockSpecialists(tx, [seen.specialist_id, ...offer.specialists.map(({ id }) => id)]);
  const previous = await findInWrite(tx, write.policy, reference, true);
  checkChangeable(previous, body.expected_version, now);
  // Only now: the slot, and who is to give it, comes last (contract B7).
  if (body.specialist_id !== undefined && !snapshot.specialists.has(body.specialist_id)) throw notFound();
  // The seat that the booking gives up is free for it.
  const exclude = { specialistId: previous.specialist_id, startsAt: previous.starts_at.getTime() / 60_000 };
  return takeBookable(tx, { offer, body, now, exclude }, async ({ slot, claims }) => {
    const day = localDayBounds(offer.location.zone, body.date);
    const order = candidates(slot, claims, day, previous.specialist_id);
    const start = slot.startsAt * 60_000;
    if (start === previous.starts_at.getTime() && order[0]?.specialistId === previous.specialist_id)
      throw unavailable('same_slot');
    return moveTo(tx, write, { offer, previous, slot, order });
  });
}

/**
 * Locks the specialists that the move may touch, in one order for everybody: two bookings that swap their slots wait
 * for each other here instead of in a deadlock.
 */
async function lockSpecialists(tx: WriteTx, ids: readonly string[]): Promise<void> {
  const keys = [...new Set(ids.map(lockKey))].sort((a, b) => a - b);
  await tx.run(keys.map((key) => `SELECT pg_advisory_xact_lock(${key})`).join('; '));
}

type Move = { offer: Offer; previous: BookingRow; slot: BookableSlot; order: readonly SlotSpecialist[] };

async function moveTo(
  tx: WriteTx,
  write: PartnerWrite,
  { offer, previous, slot, order }: Move,
): Promise<StoredSuccess | null> {
  await tx.run('SAVEPOINT move');
  if (previous.claim_id) await freeSeat(tx, previous.claim_id);
  for (const specialist of order) {
    const row: BookingRow = {
      ...previous,
      version: previous.version + 1,
      specialist_id: specialist.specialistId,
      starts_at: new Date(slot.startsAt * 60_000),
      ends_at: new Date(slot.endsAt * 60_000),
      time_zone: offer.location.zone.name,
      cancellation_cutoff_minutes: offer.cancellationCutoffMinutes,
      updated_at: write.now,
    };
    const { records, success } = recordsOf({ write, status: 200, type: 'booking.rescheduled', row, previous });
    const more = [row.time_zone, row.cancellation_cutoff_minutes];
    const seat = { statements: STATEMENTS, slot, specialist, capacity: offer.service.capacity, records, more };
    if (await takeSeat(tx, seat)) return success;
  }
  // A refusal commits the bound key; the old seat must be the booking's again.
  await tx.run('ROLLBACK TO SAVEPOINT move');
  return null;
}
