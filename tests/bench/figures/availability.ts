import { compareWithBare } from '../compare';
import type { Outcome } from '../figure';
import { dayFromNow, fillDays, makeSalon } from '../salon';
import type { Stage } from '../stage';

/**
 * Compares availability queries with a route that only returns a constant body (see `compareWithBare`). Each query
 * lists the free slots of one day with five specialists and 200 bookings.
 */
export async function measureAvailability(stage: Stage): Promise<Outcome> {
  const { pool } = await import('@/lib/platform/db');
  const salon = await makeSalon(stage);
  const { at, date } = dayFromNow(30);
  await fillDays(pool(), salon, salon.specialistIds, at, 1);
  const path = `/availability?service_id=${salon.serviceId}&location_id=${salon.locationId}&date=${date}`;
  return compareWithBare(stage, 'GET /availability', path);
}
