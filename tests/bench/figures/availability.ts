import { compareWithBare } from '../compare';
import type { Figure } from '../figure';
import { dayFromNow, fillDays, makeSalon } from '../salon';

/** One day of free slots with five specialists and 200 bookings on it, against the least that the server can do. */
export const availability: Figure = {
  name: 'availability',
  title: 'availability, one day, 5 specialists, 200 bookings ÷ bare',
  floor: { atLeast: 0.5 },
  run: async (stage) => {
    const { pool } = await import('@/lib/platform/db');
    const salon = await makeSalon(stage);
    const { at, date } = dayFromNow(30);
    await fillDays(pool(), salon, salon.specialistIds, at, 1);
    const path = `/availability?service_id=${salon.serviceId}&location_id=${salon.locationId}&date=${date}`;
    return compareWithBare(stage, 'GET /availability', path);
  },
};
