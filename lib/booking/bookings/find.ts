import { mayUseLocation, type Policy } from '@/lib/access/applications/policy';
import type { BookingRecord } from '@/lib/contract/bookings';
import { AppError, notFound } from '@/lib/contract/errors/app-error';
import { pool } from '@/lib/platform/db';
import { isBookingReference } from '@/lib/platform/ids';
import { bind } from '@/lib/platform/sql';
import { inTenant } from '@/lib/platform/tenant-scope';
import type { WriteTx } from '@/lib/platform/write-transaction';
import { readInTurn } from '../read-turns';
import { type BookingRow, fullRecord } from './booking';
import { FIND_BOOKING, LOCK_BOOKING } from './statements';

const REFERENCE = 'pbr_reference';

/**
 * Returns a booking of the calling application. `field` is where the request names it.
 * @throws AppError not_found if the reference is unknown, malformed, or of another application; credential_restricted
 * (reason `location`) if the policy no longer allows the booking's location (contract B3).
 */
export async function findBooking(policy: Policy, reference: string, field = REFERENCE): Promise<BookingRow> {
  if (!isBookingReference(reference)) throw notFound(field);
  const { tenantId, applicationId } = policy;
  const query = bind(FIND_BOOKING, { reference, applicationId });
  const { rows } = await readInTurn('booking', policy, () => inTenant(tenantId, () => pool().query<BookingRow>(query)));
  return permitted(policy, rows[0], field);
}

/** Returns a booking of the calling application as it sees it (contract B7). @throws AppError as `findBooking`. */
export async function readBooking(policy: Policy, reference: string, now: Date): Promise<BookingRecord> {
  return fullRecord(await findBooking(policy, reference), now);
}

/** Like `findBooking`, but in a write's transaction. */
export async function findInWrite(
  tx: WriteTx,
  policy: Policy,
  reference: string,
  field = REFERENCE,
): Promise<BookingRow> {
  if (!isBookingReference(reference)) throw notFound(field);
  const [row] = await tx.query(FIND_BOOKING, { reference, applicationId: policy.applicationId });
  return permitted(policy, row, field);
}

/** Like `findInWrite`, but locks the row until the transaction ends. */
export async function lockInWrite(tx: WriteTx, policy: Policy, reference: string): Promise<BookingRow> {
  if (!isBookingReference(reference)) throw notFound(REFERENCE);
  const [row] = await tx.query(LOCK_BOOKING, { reference, applicationId: policy.applicationId });
  return permitted(policy, row);
}

/** @throws AppError not_found without a row; credential_restricted (reason `location`) if the policy does not allow it. */
export function permitted(policy: Policy, row: BookingRow | undefined, field = REFERENCE): BookingRow {
  if (!row) throw notFound(field);
  if (!mayUseLocation(policy, row.location_id)) throw new AppError('credential_restricted', { reason: 'location' });
  return row;
}
