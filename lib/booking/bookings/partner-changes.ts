import type { z } from 'zod';
import type { cancelBody, rescheduleBody } from '@/lib/contract/bookings';
import { AppError, notFound } from '@/lib/contract/errors/app-error';
import { specialistLocks } from '@/lib/platform/locks';
import type { WriteTx } from '@/lib/platform/write-transaction';
import { refuseStale } from '../catalog/snapshot';
import { type Outcome, type StoredSuccess, writeOnce } from '../idempotency/once';
import { type BookingRow, changeDeadline } from './booking';
import { changeValues, type PartnerWrite, partnerChange } from './change';
import { findInWrite, lockInWrite } from './find';
import { moveBooking } from './move';
import { freeSeat, resolveReschedule, unavailable } from './resolve';
import { CANCEL_BOOKING } from './statements';

/**
 * Cancels a booking of the calling application and frees its seat (contract B7), or replays that (contract B8).
 * @throws AppError not_found or credential_restricted as in `findBooking`; booking_version_conflict;
 * booking_unavailable with its reason.
 */
export async function cancelBooking(
  write: PartnerWrite,
  reference: string,
  body: z.output<typeof cancelBody>,
): Promise<Outcome> {
  return writeOnce(write, {
    read: async () => null,
    change: (tx) => cancel(tx, write, reference, body),
  });
}

async function cancel(
  tx: WriteTx,
  write: PartnerWrite,
  reference: string,
  body: z.output<typeof cancelBody>,
): Promise<StoredSuccess> {
  const previous = await lockInWrite(tx, write.policy, reference);
  write.resolved(previous);
  checkChangeable(previous, body.expected_version, write.now);
  const row: BookingRow = {
    ...previous,
    status: 'cancelled',
    claim_id: null,
    version: previous.version + 1,
    cancelled_at: write.now,
    cancelled_by: 'partner',
    cancel_reason: body.reason ?? null,
    updated_at: write.now,
  };
  const { change, success } = partnerChange(write, { status: 200, type: 'booking.cancelled', row, previous: null });
  const values = { ...changeValues(change), cancelledBy: row.cancelled_by, cancelReason: row.cancel_reason };
  await tx.query(CANCEL_BOOKING, values);
  if (previous.claim_id) await freeSeat(tx, previous.claim_id);
  return success;
}

/**
 * Moves a booking of the calling application to another slot (contract B7), or replays the move (contract B8).
 * @throws AppError not_found or credential_restricted as in `findBooking`; booking_version_conflict;
 * booking_unavailable with its reason.
 */
export async function rescheduleBooking(
  write: PartnerWrite,
  reference: string,
  body: z.output<typeof rescheduleBody>,
): Promise<Outcome> {
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

async function reschedule(
  tx: WriteTx,
  write: PartnerWrite,
  unlocked: BookingRow,
  body: z.output<typeof rescheduleBody>,
): Promise<StoredSuccess> {
  const { snapshot, now } = write;
  const { reference, service_id, location_id, external_reference } = unlocked;
  write.resolved({ reference, service_id, location_id, external_reference });
  const offer = resolveReschedule(snapshot, unlocked.service_id, unlocked.location_id);
  // In the same order in all transactions. Otherwise, two reschedules that swap slots could deadlock.
  await tx.run(specialistLocks([unlocked.specialist_id, ...offer.specialists.map(({ id }) => id)]));
  const previous = await lockInWrite(tx, write.policy, unlocked.reference);
  checkChangeable(previous, body.expected_version, now);
  // The slot and the specialist are checked last (contract B7).
  if (body.specialist_id !== undefined && !snapshot.specialists.has(body.specialist_id))
    throw notFound('specialist_id');
  const request = { offer, body, now };
  const { success } = await moveBooking(tx, request, previous, (row) =>
    partnerChange(write, { status: 200, type: 'booking.rescheduled', row, previous }),
  );
  return success;
}

/**
 * Checks the version, the status, and the cutoff of a booking, in this order (contract B7).
 * @throws AppError booking_version_conflict, or booking_unavailable with its reason.
 */
export function checkChangeable(row: BookingRow, expectedVersion: number, now: Date): void {
  if (row.version !== expectedVersion) throw new AppError('booking_version_conflict');
  if (row.status !== 'confirmed') throw unavailable('booking_not_active');
  if (now > changeDeadline(row)) throw unavailable('outside_cancellation_window');
}
