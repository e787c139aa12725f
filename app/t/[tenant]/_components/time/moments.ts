// Formats of timestamps, for `dateTime` of the reader's formats.

const CLOCK = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const satisfies Intl.DateTimeFormatOptions;

/** Returns the format for a time of day, to the minute or the second. */
export function clockTo(unit: 'minute' | 'second'): Intl.DateTimeFormatOptions {
  return unit === 'second' ? { ...CLOCK, second: '2-digit' } : CLOCK;
}

/** A date with its year. */
export const DAY: Intl.DateTimeFormatOptions = { dateStyle: 'medium' };

/** A date without its year, for dates at most a few weeks in the past or future. */
export const NEAR_DAY: Intl.DateTimeFormatOptions = { day: 'numeric', month: 'short' };

/** Date and time to the minute, without the year, for timestamps at most a few weeks in the past or future. */
export const SHORT_TIME: Intl.DateTimeFormatOptions = { ...NEAR_DAY, ...CLOCK };

/** Date and time to the minute, with the year. */
export const MINUTE_TIME: Intl.DateTimeFormatOptions = { ...SHORT_TIME, year: 'numeric' };

/** Date and time to the second, without the year. */
export const LINE_TIME: Intl.DateTimeFormatOptions = { ...SHORT_TIME, second: '2-digit' };

/** Date and time to the second, with the year. */
export const WHOLE_TIME: Intl.DateTimeFormatOptions = { ...LINE_TIME, year: 'numeric' };
