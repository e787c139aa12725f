import { AppError } from '@/lib/contract/errors/app-error';
import { unavailable } from './resolve';
import { type BookingRow, changeDeadline } from './row';

/**
 * Checks the version, the status, and the cutoff of a booking, in this order (contract B7).
 * @throws AppError booking_version_conflict, or booking_unavailable with its reason.
 */
export function checkChangeable(row: BookingRow, expectedVersion: number, now: Date): void {
  if (row.version !== expectedVersion) throw new AppError('booking_version_conflict');
  if (row.status !== 'confirmed') throw unavailable('booking_not_active');
  if (now > changeDeadline(row)) throw unavailable('outside_cancellation_window');
}
