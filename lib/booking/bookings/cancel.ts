import type { z } from 'zod';
import type { cancelBody } from '@/lib/contract/bookings';
import type { WriteTx } from '@/lib/platform/write-transaction';
import { type Outcome, writeOnce } from '../idempotency/once';
import type { StoredSuccess } from '../idempotency/store';
import { changeValues } from './change-values';
import { checkChangeable } from './checks';
import { lockInWrite } from './find';
import { type PartnerWrite, recordsOf } from './partner-write';
import type { BookingRow } from './row';
import { freeSeat } from './seats';
import { CANCEL_BOOKING } from './statements';

type Body = z.output<typeof cancelBody>;

/**
 * Cancels a booking of the calling application and frees its seat (contract B7), or replays that (contract B8).
 * @throws AppError not_found or credential_restricted as in `findBooking`; booking_version_conflict;
 * booking_unavailable with its reason.
 */
export async function cancelBooking(write: PartnerWrite, reference: string, body: Body): Promise<Outcome> {
  return writeOnce(write, {
    read: async () => null,
    change: (tx) => cancel(tx, write, reference, body),
  });
}

async function cancel(tx: WriteTx, write: PartnerWrite, reference: string, body: Body): Promise<StoredSuccess> {
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
  const { records, success } = recordsOf({ write, status: 200, type: 'booking.cancelled', row, previous: null });
  const values = { ...changeValues(records), cancelledBy: row.cancelled_by, cancelReason: row.cancel_reason };
  await tx.query(CANCEL_BOOKING, values);
  if (previous.claim_id) await freeSeat(tx, previous.claim_id);
  return success;
}
