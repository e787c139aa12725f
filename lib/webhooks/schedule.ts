const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Planned delays in milliseconds before the second attempt, the third attempt, and so on (contract B11). */
const DELAYS = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR];

/** Number of scheduled attempts per delivery (contract B11). */
export const MAX_ATTEMPTS = DELAYS.length + 1;

const JITTER = 0.2;

/**
 * Returns the milliseconds until the next attempt; null if no attempt follows. The planned delay gets a jitter of ±20%.
 * If the receiver requests a delay, that delay is used instead, but at least the planned delay and at most twice the
 * planned delay (contract B11).
 * @param made number of scheduled attempts made so far.
 * @param retryAfter milliseconds that the receiver requested in `Retry-After`; null if it requested none.
 * @param random a number from 0 to 1, for the jitter.
 */
export function delayAfter(made: number, retryAfter: number | null, random: number): number | null {
  const planned = DELAYS[made - 1];
  if (planned === undefined) return null;
  if (retryAfter !== null) return Math.min(Math.max(retryAfter, planned), 2 * planned);
  return Math.round(planned * (1 - JITTER + 2 * JITTER * random));
}

/**
 * Matches the preferred format of an HTTP-date (RFC 9110, 5.6.7). The check is needed because `Date.parse` also
 * accepts `-5`, `7, 9`, and `+7`.
 */
const HTTP_DATE = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/;

/**
 * Parses a `Retry-After` header with whole seconds or an HTTP-date. Returns milliseconds without an upper limit, or
 * null for any other value.
 */
export function readRetryAfter(header: string | undefined, now: Date): number | null {
  if (header === undefined) return null;
  if (/^\d+$/.test(header)) return Number(header) * SECOND;
  const at = HTTP_DATE.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(at) ? null : Math.max(0, at - now.getTime());
}
