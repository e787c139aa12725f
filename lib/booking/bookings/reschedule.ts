import type { z } from 'zod';
import type { rescheduleBody } from '@/lib/contract/bookings';
import { notFound } from '@/lib/contract/errors/app-error';
import { specialistLocks } from '@/lib/platform/locks';
import type { WriteTx } from '@/lib/platform/write-transaction';
import { localDayBounds } from '../availability';
import { refuseStale } from '../catalog/stale';
import { type Outcome, writeOnce } from '../idempotency/once';
import type { StoredSuccess } from '../idempotency/store';
import { bookableSlot, type FoundSlot, MAX_SLOT_READS, readClaimsOfDay } from './bookable-slot';
import { changeValues } from './change-values';
import { checkChangeable } from './checks';
import { findInWrite, lockInWrite } from './find';
import { type PartnerWrite, recordsOf } from './partner-write';
import { type Offer, resolveReschedule, unavailable } from './resolve';
import type { BookingRow } from './row';
import { claimValues, freeSeat, rankSpecialists, takeSeat } from './seats';
import { RESCHEDULE_BOOKING } from './statements';

type Body = z.output<typeof rescheduleBody>;

/**
 * Moves a booking of the calling application to another slot of its service and location (contract B7), or replays the
 * move (contract B8). One transaction frees the old seat and takes the new one.
 * @throws AppError not_found or credential_restricted as in `findBooking`; booking_version_conflict;
 *   booking_unavailable with its reason.
 */
export async function rescheduleBooking(write: PartnerWrite, reference: string, body: Body): Promise<Outcome> {
  return writeOnce(write, {
    read: async (tx) => {
      const [, unlocked] = await Promise.all([
        refuseStale(tx, write.snapshot),
        findInWrite(tx, write.policy, reference),
      ]);
      return unlocked;
    },
    change: (tx, unlocked) => reschedule(tx, write, unlocked, body),
  });
}

async function reschedule(tx: WriteTx, write: PartnerWrite, unlocked: BookingRow, body: Body): Promise<StoredSuccess> {
  const { snapshot, now } = write;
  const offer = resolveReschedule(snapshot, unlocked.service_id, unlocked.location_id);
  // `specialistLocks` takes the locks in a fixed order. Otherwise, two concurrent reschedules that swap their slots
  // could deadlock.
  await tx.run(specialistLocks([unlocked.specialist_id, ...offer.specialists.map(({ id }) => id)]));
  const previous = await lockInWrite(tx, write.policy, unlocked.reference);
  checkChangeable(previous, body.expected_version, now);
  // According to contract B7, the slot and the specialist are checked last, so the existence of the specialist is not
  // checked earlier.
  if (body.specialist_id !== undefined && !snapshot.specialists.has(body.specialist_id)) throw notFound();
  const exclude = { specialistId: previous.specialist_id, startsAt: previous.starts_at.getTime() / 60_000 };
  for (let reads = 0; reads < MAX_SLOT_READS; reads += 1) {
    const request = { offer, body, now, exclude };
    const found = bookableSlot(request, await readClaimsOfDay(tx, request));
    const success = await moveTo(tx, write, { offer, body, previous }, found);
    if (success) return success;
  }
  throw unavailable('slot_taken');
}

type Move = { offer: Offer; body: Body; previous: BookingRow };

/**
 * Moves the booking to the first specialist who still has a free seat. Returns null if concurrent writes have taken all
 * seats.
 */
async function moveTo(
  tx: WriteTx,
  write: PartnerWrite,
  { offer, body, previous }: Move,
  { slot, claims }: FoundSlot,
): Promise<StoredSuccess | null> {
  const day = localDayBounds(offer.location.zone, body.date);
  const ranked = rankSpecialists(slot, claims, day, previous.specialist_id);
  const isSameStart = slot.startsAt * 60_000 === previous.starts_at.getTime();
  if (isSameStart && ranked[0]?.specialistId === previous.specialist_id) throw unavailable('same_slot');
  await tx.run('SAVEPOINT move');
  if (previous.claim_id) await freeSeat(tx, previous.claim_id);
  for (const specialist of ranked) {
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
    const values = {
      ...changeValues(records),
      ...claimValues(row, slot, offer.service.capacity),
      timeZone: row.time_zone,
      cancellationCutoffMinutes: row.cancellation_cutoff_minutes,
    };
    if (await takeSeat(tx, RESCHEDULE_BOOKING, specialist, values)) return success;
  }
  // The caller either tries again or refuses the move. A refusal also commits the transaction, because it stores the
  // idempotency key. The release of the old seat must therefore be undone here.
  await tx.run('ROLLBACK TO SAVEPOINT move');
  return null;
}
