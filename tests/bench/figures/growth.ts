import { compareWithBare } from '../compare';
import type { Figure } from '../figure';
import { dayFromNow, emptyBookings, fillDays, makeSalon, type Salon } from '../salon';
import type { Stage } from '../stage';

/** Days from today of the day that is asked about. */
const ASKED = 30;
/** 5 specialists × 40 bookings × 5 days. */
const FEW_DAYS = 5;
/** 50 specialists × 40 bookings × 500 days, filled in steps. */
const SPECIALISTS = 50;
const DAYS = 500;
const STEP = 50;

/**
 * The same question among a thousand bookings and among a million, with as many on the day itself. Each is measured
 * against bare in turn, so that what else the machine does between the two is left out.
 */
export const growth: Figure = {
  name: 'growth',
  title: 'availability with 1,000,000 bookings in the table ÷ with 1,000',
  floor: { atLeast: 0.9 },
  run: async (stage) => {
    const { pool } = await import('@/lib/platform/db');
    await emptyBookings(pool());
    const salon = await makeSalon(stage, SPECIALISTS);
    const five = salon.specialistIds.slice(0, 5);
    await fillDays(pool(), salon, five, dayFromNow(ASKED).at, FEW_DAYS);
    const few = await ask(stage, salon, 'among 1,000');
    stage.say('Filling the table with a million bookings (a minute or two) …');
    await emptyBookings(pool());
    for (let begun = 0; begun < DAYS; begun += STEP) {
      await fillDays(pool(), salon, salon.specialistIds, dayFromNow(ASKED + 1 - DAYS + begun).at, STEP);
    }
    const many = await ask(stage, salon, 'among 1,000,000');
    const notes = [`against bare: ${many.value.toFixed(3)} and ${few.value.toFixed(3)}`];
    return { value: many.value / few.value, rows: [...many.rows, ...few.rows], notes };
  },
};

function ask(stage: Stage, { serviceId, locationId }: Salon, what: string) {
  const path = `/availability?service_id=${serviceId}&location_id=${locationId}&date=${dayFromNow(ASKED).date}`;
  return compareWithBare(stage, `GET /availability ${what}`, path);
}
