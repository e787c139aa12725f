import { pool } from '@/lib/platform/db';
import { narrowPolicy } from '@/tests/support/booking-rows';
import type { Desk } from '@/tests/support/bookings';
import { until } from '@/tests/support/until';

/**
 * Sets a booking to a final status and version 2. Uses the API for `cancelled`, and changes the row for other
 * statuses.
 */
export async function endBooking(desk: Desk, reference: string, status: string): Promise<void> {
  if (status === 'cancelled') {
    await desk.cancel(reference);
    return;
  }
  await pool().query('UPDATE bookings SET status = $2::"BookingStatus", version = 2 WHERE reference = $1', [
    reference,
    status,
  ]);
}

/** The customer of an anonymized booking. */
export const NOBODY = { name: null, phone_masked: null, email_masked: null, locale: null };

/** Removes the customer's name and phone from a booking, as retention does. */
export async function anonymize(reference: string): Promise<void> {
  await pool().query('UPDATE bookings SET customer_name = NULL, customer_phone = NULL WHERE reference = $1', [
    reference,
  ]);
}

/** Removes all locations from the application's policy, and waits until the booking can no longer be read. */
export async function revokeLocations(desk: Desk, reference: string): Promise<void> {
  await narrowPolicy(desk, { locationIds: [] });
  await until(
    () => desk.read(reference),
    ({ status }) => status === 403,
  );
}
