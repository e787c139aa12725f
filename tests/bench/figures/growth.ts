import { compareWithBare } from '../compare';
import type { Outcome } from '../figure';
import { dayFromNow, emptyBookings, fillDays, makeSalon, type Salon } from '../salon';
import { sized } from '../size';
import type { Stage } from '../stage';

/** The queried day, in days from today. */
const QUERIED = 30;
/** 5 days with 40 bookings for each of 5 specialists: 1,000 bookings. */
const FEW_DAYS = 5;
/** 500 days with 40 bookings for each of 50 specialists: 1,000,000 bookings. The days are filled in steps. */
const SPECIALISTS = 50;
const DAYS = sized(500, 10);
const STEP = sized(50, 10);

/**
 * Measures the same availability query in a table of a thousand and of a million bookings. The specialists who offer
 * the service have equally many bookings on the queried day in both cases. Each result is relative to the bare route,
 * measured at the same time, so that a change of the machine's load between the two measurements cancels out.
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
