const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Milliseconds before the second attempt, the third attempt, and so on (contract B11). */
const DELAYS = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR];

/** Scheduled attempts per delivery (contract B11). */
export const MAX_ATTEMPTS = DELAYS.length + 1;

const JITTER = 0.2;

/**
 * Returns the milliseconds until the attempt after `made` ones, or null. The planned delay gets a jitter of ±20%
 * (`random`: 0 to 1), or is that of the receiver, at least the planned one and at most twice that (contract B11).
 */
export function delayAfter(made: number, retryAfter: number | null, random: number): number | null {
  const planned = DELAYS[made - 1];
  if (planned === undefined) return null;
  if (retryAfter !== null) return Math.min(Math.max(retryAfter, planned), 2 * planned);
  return Math.round(planned * (1 - JITTER + 2 * JITTER * random));
}

/** The preferred HTTP-date (RFC 9110, 5.6.7). `Date.parse` also accepts `-5`, `7, 9`, and `+7`. */
const HTTP_DATE = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/;

/** Parses `Retry-After`: whole seconds or an HTTP-date. Returns milliseconds without an upper limit, or null. */
export function readRetryAfter(header: string | undefined, now: Date): number | null {
  if (header === undefined) return null;
  if (/^\d+$/.test(header)) return Number(header) * SECOND;
  const at = HTTP_DATE.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(at) ? null : Math.max(0, at - now.getTime());
}
