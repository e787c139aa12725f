import { bookingStart } from '../availability';
import type { BookingRow } from './row';

type Audited = Pick<BookingRow, 'starts_at' | 'time_zone' | 'date' | 'start_time'> & { service_name: string };

/**
 * Returns what describes a booking in an audit entry. It contains no personal data, so it is kept after the customer is
 * anonymized.
 */
export function auditedBooking(row: Audited): { service: string; date: string; start_time: string } {
  return { service: row.service_name, ...bookingStart(row) };
}
