import type { z } from 'zod';
import type { cancelBody } from '@/lib/contract/bookings';
import type { WriteTx } from '@/lib/platform/write-transaction';
import { type Outcome, writeOnce } from '../idempotency/once';
import type { StoredSuccess } from '../idempotency/store';
import { checkChangeable } from './checks';
import { findInWrite } from './find';
import { type PartnerWrite, recordsOf } from './partner-write';
import type { BookingRow } from './row';
import { freeSeat } from './seats';
import { changeStatement, FIRST_OWN, runChange } from './write';

type Body = z.output<typeof cancelBody>;

const own = (index: number) => `$${FIRST_OWN + index}`;

/** The statement of a cancellation; its own parameters are who cancelled, and why. */
export const CANCEL = changeStatement(
  'booking-cancel',
  `booking AS (
      UPDATE bookings SET status = 'cancelled', claim_id = NULL, version = $5::int, cancelled_at = $9::timestamptz,
        cancelled_by = ${own(0)}::text, cancel_reason = ${own(1)}::text, updated_at = $9::timestamptz
      WHERE reference = $13::text RETURNING reference)`,
);

/**
 * Cancels a booking of the calling application and frees its seat (contract B7), or replays it (B8).
 * @throws AppError not_found, booking_version_conflict, booking_unavailable with its reason.
 */
export async function cancelBooking(write: PartnerWrite, reference: string, body: Body): Promise<Outcome> {
  return writeOnce(write, (tx) => cancel(tx, write, reference, body));
}

async function cancel(tx: WriteTx, write: PartnerWrite, reference: string, body: Body): Promise<StoredSuccess> {
  const previous = await findInWrite(tx, write.policy, reference, true);
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
  await runChange(tx, CANCEL, records, [row.cancelled_by, row.cancel_reason]);
  if (previous.claim_id) await freeSeat(tx, previous.claim_id);
  return success;
}
