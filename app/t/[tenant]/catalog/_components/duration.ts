const HOUR = 60;
const DAY = 1_440;

/** Formats a number of minutes, such as `1 h 30 min` or `2 days`. */
export function formatMinutes(minutes: number): string {
  if (minutes > 0 && minutes % DAY === 0) return minutes === DAY ? '1 day' : `${minutes / DAY} days`;
  const hours = Math.floor(minutes / HOUR);
  const rest = minutes % HOUR;
  return [hours > 0 && `${hours} h`, (rest > 0 || hours === 0) && `${rest} min`].filter(Boolean).join(' ');
}

const DURATION = /^(?:(\d{1,4}) ?(?:d|days?))? ?(?:(\d{1,5}) ?(?:h|hours?))? ?(?:(\d{1,6}) ?(?:m|min|minutes?)?)?$/;

/**
 * Parses a duration, such as `1 h 15 min`, `1 day`, or `1:15`. A number without a unit, such as `75`, means minutes.
 * Returns the number of minutes; null if the text is not a duration.
 */
export function parseMinutes(text: string): number | null {
  const plain = text.trim().replaceAll(/\s+/g, ' ').toLowerCase();
  const clock = /^(\d{1,4}):([0-5]\d)$/.exec(plain);
  if (clock) return Number(clock[1]) * HOUR + Number(clock[2]);
  const [, days, hours, minutes] = DURATION.exec(plain) ?? [];
  if (days === undefined && hours === undefined && minutes === undefined) return null;
  return Number(days ?? 0) * DAY + Number(hours ?? 0) * HOUR + Number(minutes ?? 0);
}
