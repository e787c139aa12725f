export const DAY = 1440;
const DAY_MS = 86_400_000;

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const TIME = /^([01]\d|2[0-3]):([0-5]\d)$/;

const two = (value: number): string => (value < 10 ? `0${value}` : `${value}`);

/** Precomputed, because every slot contains formatted times. */
const CLOCK: readonly string[] = Array.from({ length: DAY }, (_, m) => `${two(Math.floor(m / 60))}:${two(m % 60)}`);

let lastDay = 0;
let lastText = '1970-01-01';

/** Formats a day number (days since 1970-01-01) as `YYYY-MM-DD`. */
export function formatDay(day: number): string {
  // Consecutive slots on a page usually have the same date.
  if (day !== lastDay) {
    lastText = new Date(day * DAY_MS).toISOString().slice(0, 10);
    lastDay = day;
  }
  return lastText;
}

/** Parses `YYYY-MM-DD` into a day number, or returns null, also for 2026-02-30. */
export function dayOf(text: string): number | null {
  const day = DATE.test(text) ? Date.parse(`${text}T00:00Z`) / DAY_MS : Number.NaN;
  // `Date` reads a date that does not exist as a later one, such as April 31 as May 1.
  return Number.isNaN(day) || formatDay(day) !== text ? null : day;
}

/** Parses `YYYY-MM-DD` into a day number. @throws RangeError, also for 2026-02-30. */
export function parseDay(text: string): number {
  const day = dayOf(text);
  if (day === null) throw new RangeError('date must be an existing calendar date, YYYY-MM-DD');
  return day;
}

/** Parses `HH:MM`, 00:00 to 23:59, into minutes since midnight. @throws RangeError if the time is malformed. */
export function parseTime(text: string): number {
  const match = TIME.exec(text);
  if (!match) throw new RangeError('time must be HH:MM, from 00:00 to 23:59');
  return Number(match[1]) * 60 + Number(match[2]);
}

/** Formats minutes since midnight (0 to 1439) as `HH:MM`. */
export function formatTime(minute: number): string {
  return CLOCK[minute] ?? '';
}

/** Returns the ISO weekday of a day number: 1 is Monday, 7 is Sunday. */
export function weekdayOf(day: number): number {
  return ((((day + 3) % 7) + 7) % 7) + 1;
}
