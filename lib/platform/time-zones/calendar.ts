export const DAY = 1440;

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const TIME = /^([01]\d|2[0-3]):([0-5]\d)$/;

const two = (value: number): string => (value < 10 ? `0${value}` : `${value}`);

/** Each minute of a day as `HH:MM`. Precomputed, because every slot contains formatted times. */
const CLOCK: readonly string[] = Array.from({ length: DAY }, (_, m) => `${two(Math.floor(m / 60))}:${two(m % 60)}`);

/**
 * Returns the number of days from 1970-01-01 to a date in the proleptic Gregorian calendar. Uses Howard Hinnant's
 * algorithm, in which years start in March.
 */
function daysFromCivil(year: number, month: number, day: number): number {
  const y = month <= 2 ? year - 1 : year;
  const era = Math.floor(y / 400);
  const yearOfEra = y - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}

let lastDay = 0;
let lastText = '1970-01-01';

/** Formats a day number (days since 1970-01-01) as `YYYY-MM-DD`. */
export function formatDay(day: number): string {
  // The text of the most recent date is kept, because consecutive slots on a page usually have the same date.
  if (day !== lastDay) {
    lastText = civilText(day);
    lastDay = day;
  }
  return lastText;
}

function civilText(day: number): string {
  const shifted = day + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const marchMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  const date = dayOfYear - Math.floor((153 * marchMonth + 2) / 5) + 1;
  return `${String(year).padStart(4, '0')}-${two(month)}-${two(date)}`;
}

/**
 * Parses a `YYYY-MM-DD` date into a day number (days since 1970-01-01).
 * @throws RangeError if the date is malformed or does not exist, such as 2026-02-30.
 */
export function parseDay(text: string): number {
  const match = DATE.exec(text);
  if (match) {
    const day = daysFromCivil(Number(match[1]), Number(match[2]), Number(match[3]));
    // `daysFromCivil` accepts dates that do not exist. For example, it reads April 31 as May 1.
    if (formatDay(day) === text) return day;
  }
  throw new RangeError('date must be an existing calendar date, YYYY-MM-DD');
}

/**
 * Parses a local time `HH:MM`, 00:00 to 23:59, into minutes since midnight.
 * @throws RangeError if the time is malformed.
 */
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
