import { DAY, formatDay, formatInstant, formatTime, parseDay, parseTime, type Zone } from '@/lib/platform/time-zones';
import type { Interval } from '../availability/input';
import { type Axis, axisOf, type DayBody, type Place, type Reader, readSchedule } from './day';
import type { MinuteOf } from './day-hours';

const DAYS = 7;

/**
 * From Monday. Minutes of the shared axis are local times: 09:00 is always minute 540, whatever hour the clock skipped
 * or repeated.
 */
export type BookingWeek = Place & Axis & { days: DayBody[] };

/**
 * Returns the bookings in the week of `date`. Canceled ones are only counted. `defaultLocation` replaces a null
 * `selected`.
 * @throws AppError not_found if the tenant has no such location.
 */
export async function readWeek(now: Date, reader: Reader, selected: string | null, date: string): Promise<BookingWeek> {
  const dates = datesOfWeek(date);
  const schedule = await readSchedule(now, reader, selected, dates[0] ?? date, dates, localMinutes);
  const { days, zone, time_zone, location, truncated } = schedule;
  return { time_zone, location, truncated, ...axisOf(days, zone, null, formatTime), days };
}

/** Monday to Sunday, or the first or last seven dates of the API's range, 0000-01-01 to 9999-12-31. */
function datesOfWeek(date: string): string[] {
  const day = parseDay(date);
  // 1970-01-01 (day 0) was a Thursday.
  const monday = day - ((((day + 3) % DAYS) + DAYS) % DAYS);
  const first = Math.min(Math.max(monday, parseDay('0000-01-01')), parseDay('9999-12-31') - DAYS + 1);
  return Array.from({ length: DAYS }, (_, index) => formatDay(first + index));
}

/** The end of the day is 1440. */
function localMinutes(day: Interval, zone: Zone): MinuteOf {
  return (instant) => {
    if (instant <= day.from) return 0;
    return instant >= day.to ? DAY : parseTime(formatInstant(zone, instant).time);
  };
}
