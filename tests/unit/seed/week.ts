import { type Interval, intersectIntervals, mergeIntervals, subtractIntervals } from '@/lib/booking/availability/input';

type WeeklyHours = { weekday: number; opens: string; closes: string };

const DAY = 1440;

function minutes(time: string): number {
  const [hours = 0, rest = 0] = time.split(':').map(Number);
  return hours * 60 + rest;
}

/**
 * Converts weekly hours to intervals in minutes since Monday 00:00. Includes the following week too, because hours can
 * continue past Sunday night.
 */
export function inMinutes(hours: readonly WeeklyHours[]): Interval[] {
  const intervals = hours.flatMap(({ weekday, opens, closes }) => {
    const from = (weekday - 1) * DAY + minutes(opens);
    const length = minutes(closes) - minutes(opens);
    const to = from + (length > 0 ? length : length + DAY);
    return [0, 7 * DAY].map((week) => ({ from: from + week, to: to + week }));
  });
  return mergeIntervals(intervals);
}

/**
 * Returns the weekdays (1 is Monday) on which the service can be booked. An appointment must start at a multiple of the
 * service's interval, lie within the hours, and overlap no break.
 */
export function bookableWeekdays(
  opening: readonly WeeklyHours[],
  working: readonly WeeklyHours[],
  breaks: readonly WeeklyHours[],
  service: { duration_minutes: number; slot_interval_minutes: number },
): Set<number> {
  const free = subtractIntervals(intersectIntervals(inMinutes(opening), inMinutes(working)), inMinutes(breaks));
  const days = new Set<number>();
  for (let start = 0; start < 7 * DAY; start += service.slot_interval_minutes) {
    const fits = free.some(({ from, to }) => from <= start && start + service.duration_minutes <= to);
    if (fits) days.add(Math.floor(start / DAY) + 1);
  }
  return days;
}
