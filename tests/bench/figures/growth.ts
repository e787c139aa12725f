import { compareWithBare } from '../compare';
import type { Outcome } from '../figure';
import { dayFromNow, emptyBookings, fillDays, makeSalon, type Salon } from '../salon';
import { sized } from '../size';
import type { Stage } from '../stage';

/** The queried day, in days from today. */
const QUERIED = 30;
/** Number of days in the small table. 5 days with 5 specialists and 40 bookings each are 1,000 bookings. */
const FEW_DAYS = 5;
/**
 * Number of specialists in the large table. 500 days with 50 specialists and 40 bookings each are 1,000,000 bookings.
 * The table is filled in steps of `STEP` days.
 */
const SPECIALISTS = 50;
const DAYS = sized(500, 10);
const STEP = sized(50, 10);

/**
 * Measures the same availability query in a table of 1,000 bookings and in a table of 1,000,000 bookings. On the
 * queried day, the specialists who offer the service have the same number of bookings in both tables. Each result is
 * divided by the rate of the bare route, which is measured at the same time, so that changes in the machine's load
 * cancel out.
 */
export async function measureGrowth(stage: Stage): Promise<Outcome> {
  const { pool } = await import('@/lib/platform/db');
  await emptyBookings(pool());
  const salon = await makeSalon(stage, SPECIALISTS);
  const five = salon.specialistIds.slice(0, 5);
  await fillDays(pool(), salon, five, dayFromNow(QUERIED).at, FEW_DAYS);
  const few = await measure(stage, salon, 'among 1,000');
  stage.log('Filling the table with a million bookings (a minute or two) …');
  await emptyBookings(pool());
  for (let filled = 0; filled < DAYS; filled += STEP) {
    await fillDays(pool(), salon, salon.specialistIds, dayFromNow(QUERIED + 1 - DAYS + filled).at, STEP);
  }
  const many = await measure(stage, salon, 'among 1,000,000');
  const notes = [`against bare: ${many.value.toFixed(3)} and ${few.value.toFixed(3)}`];
  return { value: many.value / few.value, rows: [...many.rows, ...few.rows], notes };
}

function measure(stage: Stage, { serviceId, locationId }: Salon, label: string) {
  const path = `/availability?service_id=${serviceId}&location_id=${locationId}&date=${dayFromNow(QUERIED).date}`;
  return compareWithBare(stage, `GET /availability ${label}`, path);
}
