import { orderOf, partnerRequest, rowOf } from '../compare';
import type { Outcome, Row } from '../figure';
import { processorMilliseconds } from '../processor';
import { dayFromNow, emptyBookings, fillDays, makeSalon } from '../salon';
import { sized } from '../size';
import type { Stage } from '../stage';

const SPECIALISTS = 30;
const DAYS = 31;
/** The first queried day, as a number of days from today. */
const FIRST_DAY = 30;
const WARM_UP = sized(200, 20);
const CALLS = sized(400, 50);

/**
 * The benchmark's result is the cost of the first calendar. The booked-out calendar costs more, because the server
 * searches every day for a free slot. A trial run omits the booked-out calendar.
 */
const CALENDARS = [
  { name: 'partly booked', bookings: { perDay: 40, everyMinutes: 30 } },
  { name: 'booked out', bookings: { perDay: 96, everyMinutes: 15 } },
].slice(0, sized(2, 1));

/**
 * Measures how many milliseconds of processor time the server needs to return one page of the slots of 30 specialists
 * on 31 days.
 */
export async function measureAvailabilityWide(stage: Stage): Promise<Outcome> {
  const rows: Row[] = [];
  const costs: number[] = [];
  for (const { name, bookings } of CALENDARS) {
    const { cost, row } = await measureCalendar(stage, name, bookings);
    costs.push(cost);
    rows.push(row);
  }
  const notes = CALENDARS.map(({ name }, index) => `${name}: ${costs[index]?.toFixed(2)} ms`);
  return { value: costs[0] ?? Number.NaN, rows, notes };
}

async function measureCalendar(stage: Stage, name: string, bookings: { perDay: number; everyMinutes: number }) {
  const { pool } = await import('@/lib/platform/db');
  await stage.stopServers();
  await emptyBookings(pool());
  const salon = await makeSalon(stage, SPECIALISTS, SPECIALISTS);
  await fillDays(pool(), salon, salon.specialistIds, dayFromNow(FIRST_DAY - 1).at, DAYS + 2, bookings);
  const range = `date=${dayFromNow(FIRST_DAY).date}&date_to=${dayFromNow(FIRST_DAY + DAYS - 1).date}`;
  const path = `/availability?service_id=${salon.serviceId}&location_id=${salon.locationId}&${range}`;
  const side = { label: `GET /availability, ${name}`, requests: [partnerRequest(stage, path)] };
  const { port, pid } = await stage.serve();
  await stage.load(orderOf(port, side, { count: WARM_UP }));
  const before = await processorMilliseconds(pid);
  const report = await stage.load(orderOf(port, side, { count: CALLS }));
  const cost = ((await processorMilliseconds(pid)) - before) / CALLS;
  return { cost, row: rowOf(side.label, [report]) };
}
