import { mayUseLocation, type Policy } from '@/lib/access/applications/policy';
import { AppError, notFound } from '@/lib/contract/errors/app-error';
import { pool } from '@/lib/platform/db';
import { isBookingReference } from '@/lib/platform/ids';
import type { WriteTx } from '@/lib/platform/write-transaction';
import { BOOKING_COLUMNS, type BookingRow } from './row';

const FIND = {
  name: 'booking-find',
  text: `SELECT ${BOOKING_COLUMNS} FROM bookings WHERE reference = $1 AND application_id = $2`,
};
const LOCK = { name: 'booking-lock', text: `${FIND.text} FOR UPDATE` };

/**
 * Returns a booking of the calling application.
 * @throws AppError not_found for every other reference, whatever it is; then credential_restricted `location` when the
 *   policy has lost the booking's location (contract B3).
 */
export async function findBooking(policy: Policy, reference: string): Promise<BookingRow> {
  if (!isBookingReference(reference)) throw notFound();
  const { rows } = await pool().query<BookingRow>({ ...FIND, values: [reference, policy.applicationId] });
  return permitted(policy, rows[0]);
}

/** Like `findBooking`, within a write; `lock` keeps the row from changing until the transaction ends. */
export async function findInWrite(tx: WriteTx, policy: Policy, reference: string, lock: boolean): Promise<BookingRow> {
  if (!isBookingReference(reference)) throw notFound();
  const [row] = await tx.query<BookingRow>(lock ? LOCK : FIND, [reference, policy.applicationId]);
  return permitted(policy, row);
}

function permitted(policy: Policy, row: BookingRow | undefined): BookingRow {
  if (!row) throw notFound();
  if (!mayUseLocation(policy, row.location_id)) throw new AppError('credential_restricted', { reason: 'location' });
  return row;
}
