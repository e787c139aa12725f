// How moments are written, everywhere: the day as the reader's language has it, the clock always as 06:49.

const CLOCK = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const satisfies Intl.DateTimeFormatOptions;

/** A time of day; to the second where that matters. */
export function clockTo(unit: 'minute' | 'second'): Intl.DateTimeFormatOptions {
  return unit === 'second' ? { ...CLOCK, second: '2-digit' } : CLOCK;
}

/** A day of the year; the moment stands in its tooltip. */
export const DAY: Intl.DateTimeFormatOptions = { dateStyle: 'medium' };

/** A day of what is at most weeks ago, or ahead. */
export const NEAR_DAY: Intl.DateTimeFormatOptions = { day: 'numeric', month: 'short' };

/** Date and time to the minute, without the year: of what is at most weeks ago; the tooltip has it whole. */
export const SHORT_TIME: Intl.DateTimeFormatOptions = { ...NEAR_DAY, ...CLOCK };

/** Date and time to the second, in few characters; the year is on hover. */
export const LINE_TIME: Intl.DateTimeFormatOptions = { ...SHORT_TIME, second: '2-digit' };

/** Date and time, whole. */
export const WHOLE_TIME: Intl.DateTimeFormatOptions = { ...LINE_TIME, year: 'numeric' };
