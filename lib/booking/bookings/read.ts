import type { Policy } from '@/lib/access/applications/policy';
import type { BookingRecord } from '@/lib/contract/bookings';
import { findBooking } from './find';
import { fullRecord } from './record';

/**
 * Returns a booking that belongs to the calling application (contract B7).
 * @throws AppError not_found, credential_restricted.
 */
export async function readBooking(policy: Policy, reference: string, now: Date): Promise<BookingRecord> {
  return fullRecord(await findBooking(policy, reference), now);
}
