import { DAY, parseDay, parseTime, weekdayOf } from '@/lib/platform/time-zones';

/** Every n weeks, on these weekdays (1 is Monday, 7 is Sunday), until this date (`YYYY-MM-DD`), inclusive. */
export type Repeat = { every_weeks: number; weekdays: readonly number[]; until: string };

/** The local start and end (`YYYY-MM-DDTHH:MM`) of a block's first occurrence, and its repeat. */
export type BlockTimes = { from: string; to: string; repeat: Repeat | null };

/** The part of a block on a local day (days since 1970-01-01), in minutes since local midnight. */
export type DayPart = { day: number; from: number; to: number };

/** Returns a local time as days since 1970-01-01 × 1440 + minutes since midnight. */
export function localMinutes(text: string): number {
  return parseDay(text.slice(0, 10)) * DAY + parseTime(text.slice(11));
}

/**
 * Returns the parts of a block on all its local days, in order. The first occurrence always counts. The weeks of a
 * repeat begin on Monday and are counted from the week of the first occurrence. The limits of `blockSchema` bound the
 * number of parts to about 1,500.
 */
export function partsOf({ from, to, repeat }: BlockTimes): DayPart[] {
  const start = localMinutes(from);
  const length = localMinutes(to) - start;
  const first = Math.floor(start / DAY);
  const monday = first - weekdayOf(first) + 1;
  const last = repeat ? parseDay(repeat.until) : first;
  const parts: DayPart[] = [];
  for (let day = first; day <= last; day += 1) {
    const isDue =
      repeat?.weekdays.includes(weekdayOf(day)) && Math.floor((day - monday) / 7) % repeat.every_weeks === 0;
    if (day === first || isDue) addParts(parts, start + (day - first) * DAY, length);
  }
  return parts;
}

function addParts(parts: DayPart[], start: number, length: number): void {
  for (let at = start; at < start + length; ) {
    const day = Math.floor(at / DAY);
    const to = Math.min(start + length, (day + 1) * DAY);
    parts.push({ day, from: at - day * DAY, to: to - day * DAY });
    at = to;
  }
}
