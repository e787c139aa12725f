import type { z } from 'zod';
import type { rescheduleBody } from '@/lib/contract/bookings';
import { notFound } from '@/lib/contract/errors/app-error';
import { specialistLocks } from '@/lib/platform/locks';
import type { WriteTx } from '@/lib/platform/write-transaction';
import { refuseStale } from '../catalog/stale';
import { type Outcome, writeOnce } from '../idempotency/once';
import type { StoredSuccess } from '../idempotency/store';
import { checkChangeable } from './checks';
import { findInWrite, lockInWrite } from './find';
import { moveBooking } from './move';
import { type PartnerWrite, recordsOf } from './partner-write';
import { resolveReschedule } from './resolve';
import type { BookingRow } from './row';

type Body = z.output<typeof rescheduleBody>;

/**
 * Moves a booking of the calling application to another slot (contract B7), or replays the move (contract B8).
 * @throws AppError not_found or credential_restricted as in `findBooking`; booking_version_conflict;
 * booking_unavailable with its reason.
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
  return moveBooking(tx, request, previous, (row) => {
    const { records, success } = recordsOf({ write, status: 200, type: 'booking.rescheduled', row, previous });
    return { records, result: success };
  });
}
