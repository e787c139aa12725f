import { DAY, formatDay, formatTime, parseDay, parseTime } from './calendar';
import { offsetAt, offsetText, type Zone } from './zone';

/*
 * "Local minutes" are a local date and time as one number: days since 1970-01-01 × 1440 + minutes since midnight.
 *
 * No time zone changes its offset twice within two days, or by more than a day. The offset of a local time is therefore
 * the offset one day earlier or the offset one day later.
 */

/** Null if the time zone skips `local`. `before` and `after` are the offsets one day earlier and later, in minutes. */
function firstPass(zone: Zone, local: number, before: number, after: number): number | null {
  const early = local - Math.max(before, after);
  if (offsetAt(zone, early) === local - early) return early;
  const late = local - Math.min(before, after);
  return offsetAt(zone, late) === local - late ? late : null;
}

/** Returns the instant (epoch minutes) of the local start of a booking: the first of two, or null in a skip (B6). */
export function startInstant(zone: Zone, local: number): number | null {
  const before = offsetAt(zone, local - DAY);
  const after = offsetAt(zone, local + DAY);
  return before === after ? local - before : firstPass(zone, local, before, after);
}

/**
 * Returns the instant (epoch minutes) of the local start or end of a time range, such as a break. A local time that the
 * clock skips is moved forward by the length of the skip (contract B6).
 */
export function boundaryInstant(zone: Zone, local: number): number {
  const before = offsetAt(zone, local - DAY);
  const after = offsetAt(zone, local + DAY);
  if (before === after) return local - before;
  // The offset before the change: if the clock jumps from 02:00 to 03:00, 02:30 becomes 03:30.
  return firstPass(zone, local, before, after) ?? local - before;
}

/** Returns whether a date exists in a time zone. For example, Pacific/Apia skipped 2011-12-30. */
export function dayExists(zone: Zone, day: number): boolean {
  return boundaryInstant(zone, day * DAY) < boundaryInstant(zone, (day + 1) * DAY);
}

/** Like `startInstant`, for `YYYY-MM-DD` and `HH:MM`. @throws RangeError if the date or the time is malformed. */
export function localToInstant(zone: Zone, date: string, time: string): number | null {
  return startInstant(zone, parseDay(date) * DAY + parseTime(time));
}

/**
 * Returns the instant (epoch minutes) of a local `date` (`YYYY-MM-DD`) and `time` (`HH:MM`) that occurs exactly once. For a
 * local time that occurs twice or that the clock skips, returns null.
 * @throws RangeError if the date or the time is malformed.
 */
export function onlyInstant(zone: Zone, date: string, time: string): number | null {
  const local = parseDay(date) * DAY + parseTime(time);
  const first = startInstant(zone, local);
  const later = local - offsetAt(zone, local + DAY);
  return first === later || later + offsetAt(zone, later) !== local ? first : null;
}

/** Returns the start and the exclusive end of a local date in epoch minutes, equal if skipped. @throws RangeError. */
export function localDayBounds(zone: Zone, date: string): { from: number; to: number } {
  const day = parseDay(date);
  return { from: boundaryInstant(zone, day * DAY), to: boundaryInstant(zone, (day + 1) * DAY) };
}

/** From the elapsed minute `from_minute` on, the clock shows `local_minute` and the minutes after it. */
export type DayClock = { minutes: number; periods: { from_minute: number; local_minute: number }[] };

/** Returns the length of a local date in minutes, and what its clock shows. */
export function dayClock(zone: Zone, date: string): DayClock {
  const { from, to } = localDayBounds(zone, date);
  const midnight = parseDay(date) * DAY;
  const localAt = (instant: number) => instant + offsetAt(zone, instant) - midnight;
  const periods = [{ from_minute: 0, local_minute: localAt(from) }];
  if (to > from && offsetAt(zone, to - 1) !== offsetAt(zone, from)) {
    const change = changeBetween(zone, from, to - 1);
    periods.push({ from_minute: change - from, local_minute: localAt(change) });
  }
  return { minutes: to - from, periods };
}

/** Returns the instant between `low` and `high` at which the offset changes. Their offsets must differ. */
function changeBetween(zone: Zone, low: number, high: number): number {
  const before = offsetAt(zone, low);
  let [last, first] = [low, high];
  while (first - last > 1) {
    const middle = Math.floor((last + first) / 2);
    if (offsetAt(zone, middle) === before) last = middle;
    else first = middle;
  }
  return first;
}

/** From the instant `at` (epoch minutes) on, local time is UTC plus `offset` minutes. Before, it was UTC plus `before`. */
export type OffsetChange = { at: number; before: number; offset: number };

/** Returns the offset of a time zone at `from`, and all changes of it until `to`, in epoch minutes. */
export function offsetChanges(zone: Zone, from: number, to: number): OffsetChange[] {
  const first = offsetAt(zone, from);
  const changes: OffsetChange[] = [{ at: from, before: first, offset: first }];
  for (let day = from; day < to; day += DAY) {
    const [before, offset] = [offsetAt(zone, day), offsetAt(zone, day + DAY)];
    if (before !== offset) changes.push({ at: changeBetween(zone, day, day + DAY), before, offset });
  }
  return changes;
}

/** Formats of contract B1. */
export interface LocalInstant {
  /** `YYYY-MM-DD` */
  readonly date: string;
  /** `HH:MM` */
  readonly time: string;
  /** RFC 3339, such as `2026-09-14T09:00:00+02:00`. */
  readonly rfc3339: string;
}

/** Formats an instant (epoch minutes) in a time zone (contract B1). */
export function formatInstant(zone: Zone, instant: number): LocalInstant {
  const offset = offsetAt(zone, instant);
  const local = instant + offset;
  const day = Math.floor(local / DAY);
  const date = formatDay(day);
  const time = formatTime(local - day * DAY);
  return { date, time, rfc3339: `${date}T${time}:00${offsetText(offset)}` };
}

/** Formats a local date and time (`YYYY-MM-DD`, `HH:MM`) that is known to be the instant (epoch minutes). */
export function formatLocal(date: string, time: string, instant: number): LocalInstant {
  const offset = parseDay(date) * DAY + parseTime(time) - instant;
  return { date, time, rfc3339: `${date}T${time}:00${offsetText(offset)}` };
}

/** Formats a timestamp in a time zone, to the second, with the offset: `2026-09-14T09:00:05+02:00`. */
export function localTimestamp(zone: Zone, at: Date): string {
  const { rfc3339 } = formatInstant(zone, Math.floor(at.getTime() / 60_000));
  return `${rfc3339.slice(0, 17)}${at.toISOString().slice(17, 19)}${rfc3339.slice(19)}`;
}
