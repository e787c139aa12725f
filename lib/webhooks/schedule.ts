const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Milliseconds before the second, third, … attempt (contract B11). */
const DELAYS = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR];

/** Attempts that the schedule of a delivery has (contract B11). */
export const MAX_ATTEMPTS = DELAYS.length + 1;

const JITTER = 0.2;

/**
 * Returns the milliseconds from a failed attempt to the next, or null when that was the last. Jittered by ±20 %; a
 * `Retry-After` is honoured between one and two times the planned delay (contract B11).
 * @param made attempts of the schedule that have been made.
 * @param retryAfter milliseconds that the receiver asked for.
 * @param random 0 to 1.
 */
export function delayAfter(made: number, retryAfter: number | null, random: number): number | null {
  const planned = DELAYS[made - 1];
  if (planned === undefined) return null;
  if (retryAfter !== null) return Math.min(Math.max(retryAfter, planned), 2 * planned);
  return Math.round(planned * (1 - JITTER + 2 * JITTER * random));
}

/** An HTTP-date as it is sent today (RFC 9110, 5.6.7). `Date.parse` takes much more for a date: `-5`, `7, 9`, `+7`. */
const HTTP_DATE = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/;

/**
 * Returns the milliseconds that a `Retry-After` header asks for, in whole seconds or by an HTTP-date; null when it says
 * neither. What asks for too much is not bounded here.
 */
export function readRetryAfter(header: string | undefined, now: Date): number | null {
  if (header === undefined) return null;
  if (/^\d+$/.test(header)) return Number(header) * SECOND;
  const at = HTTP_DATE.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(at) ? null : Math.max(0, at - now.getTime());
}
