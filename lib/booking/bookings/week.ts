import type { Zone } from '@/lib/platform/time-zones';
import { DAY, formatDay, formatInstant, formatTime, parseDay, parseTime } from '@/lib/platform/time-zones';
import type { Interval } from '../availability';
import { type Axis, axisOf, type DayBody, type Place, readSchedule } from './day';
import type { MinuteOf } from './day-hours';

const DAYS = 7;

/**
 * The bookings of a location in one week from Monday. All days share one time axis, whose minutes are local times:
 * 09:00 is always minute 540, even after the clock skipped or repeated an hour on that day.
 */
export type BookingWeek = Place & Axis & { days: DayBody[] };

/**
 * Returns the bookings in the week of `date`. Canceled bookings are only counted.
 * @param selected the location's id. If it is null, `defaultLocation` chooses the location.
 * @throws AppError not_found if the tenant has no such location.
 */
export async function readWeek(
  now: Date,
  tenantId: string,
  selected: string | null,
  date: string,
): Promise<BookingWeek> {
  const dates = datesOfWeek(date);
  const schedule = await readSchedule(now, tenantId, selected, dates[0] ?? date, dates, localMinutes);
  const { days, zone, time_zone, location, truncated } = schedule;
  return { time_zone, location, truncated, ...axisOf(days, zone, null, formatTime), days };
}

/**
 * Returns the dates from Monday to Sunday of the week of `date`. The API's dates range from 0000-01-01 to 9999-12-31.
 * If the week extends beyond this range, returns the first or the last seven dates of the range.
 */
function datesOfWeek(date: string): string[] {
  const day = parseDay(date);
  // 1970-01-01 (day 0) was a Thursday.
  const monday = day - ((((day + 3) % DAYS) + DAYS) % DAYS);
  const first = Math.min(Math.max(monday, parseDay('0000-01-01')), parseDay('9999-12-31') - DAYS + 1);
  return Array.from({ length: DAYS }, (_, index) => formatDay(first + index));
}

/** Returns a function that converts an instant on the day to its local time in minutes. The end of the day is 1440. */
function localMinutes(day: Interval, zone: Zone): MinuteOf {
  return (instant) => {
    if (instant <= day.from) return 0;
    return instant >= day.to ? DAY : parseTime(formatInstant(zone, instant).time);
  };
}
