import { bookingStart } from '../availability';
import type { BookingRow } from './row';

type Audited = Pick<BookingRow, 'starts_at' | 'time_zone' | 'date' | 'start_time'> & { service_name: string };

/**
 * Returns the values that describe a booking in an audit entry: the service, and the local date and time. The values
 * contain no personal data, so they are kept after the customer is anonymized.
 */
export function auditedBooking(row: Audited): { service: string; date: string; start_time: string } {
  return { service: row.service_name, ...bookingStart(row) };
}
