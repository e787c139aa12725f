import type { RelativeDay } from './types';

const DAY_MS = 86_400_000;

/** Returns the date of a relative day as midnight UTC, which is how the database client represents dates. */
export function dateOf({ week, weekday }: RelativeDay, now: Date): Date {
  const today = Math.floor(now.getTime() / DAY_MS);
  // Day 0 (1970-01-01) was a Thursday, three days after a Monday.
  const monday = today - ((today + 3) % 7);
  return new Date((monday + week * 7 + weekday - 1) * DAY_MS);
}

/** Returns a local time as a `Date` with this time in UTC, which is how the database client represents local times. */
export function localTimeOf(day: RelativeDay & { readonly time: string }, now: Date): Date {
  const [hours = 0, minutes = 0] = day.time.split(':').map(Number);
  return new Date(dateOf(day, now).getTime() + (hours * 60 + minutes) * 60_000);
}
