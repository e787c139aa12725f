import { readFileSync } from 'node:fs';
import { ZONE_RULES as RELEASE, ZONES as RELEASED, ZONE_COUNTRIES } from './rules';

/* The only source of time zone rules, because runtimes differ (decision 29). Instants are in whole epoch minutes. */

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

/** The zones are in the format of `rules.ts`. */
type Replaced = { version: string; zones: Record<string, string> };

/**
 * Tests of a change of rules run a real server with TEST_ZONE_RULES. LIVE does not start with it. Read from
 * `process.env`, because this module is loaded before the settings are.
 */
function replaced(): Replaced | null {
  const { ENVIRONMENT, TEST_ZONE_RULES: file } = process.env;
  // TEST is the default.
  return (ENVIRONMENT || 'TEST') === 'TEST' && file ? (JSON.parse(readFileSync(file, 'utf8')) as Replaced) : null;
}

const other = replaced();

/** Such as `2026f`. */
export const ZONE_RULES = other?.version ?? RELEASE;

/** In the format of `rules.ts`. */
const ZONES = other ? RELEASED.split('\n').map(withOther).join('\n') : RELEASED;

function withOther(line: string): string {
  const [name = '', country = '', rules = '', aliases = ''] = line.split('|');
  return [name, country, other?.zones[name] ?? rules, aliases].join('|');
}

/** Returns whether the version `a` of the rules is older than `b`: 2026f, 2026g, 2027a. */
export function isOlderRules(a: string, b: string): boolean {
  return a < b;
}

export const FIRST_YEAR = 2000;
export const LAST_YEAR = 2037;

/** Local time is UTC plus `offset` minutes from the instant `from` (epoch minutes) on. */
interface Change {
  readonly from: number;
  readonly offset: number;
}

/** Other files access only `name`. */
export interface Zone {
  /** Canonical, of IANA. */
  readonly name: string;
  readonly changes: readonly Change[];
  /** The index of the change that `offsetAt` found last. The next call usually needs the same change. */
  last: number;
}

type Entry = { name: string; country: string; rules: string; aliases: string[] };

const entries: readonly Entry[] = ZONES.split('\n').map((line) => {
  const [name = '', country = '', rules = '', aliases = ''] = line.split('|');
  return { name, country, rules, aliases: aliases === '' ? [] : aliases.split(' ') };
});

/** By their names in lowercase. */
const byName = new Map(
  entries.flatMap((entry) => [entry.name, ...entry.aliases].map((name) => [name.toLowerCase(), entry] as const)),
);

const countries = new Map(
  ZONE_COUNTRIES.split('\n').map((line) => {
    const [code = '', name = ''] = line.split('|');
    return [code, name];
  }),
);

const zones = new Map<string, Zone>();

/** No name of IANA is longer than 32 characters. */
const MAX_NAME = 64;

/** Returns the canonical name, such as `Asia/Kolkata` for `asia calcutta`, or null. Letter case does not matter. */
export function canonicalZone(name: string): string | null {
  if (name.length > MAX_NAME) return null;
  return byName.get(name.trim().replaceAll(' ', '_').toLowerCase())?.name ?? null;
}

/** Returns the shared rules of a time zone by any of its names. @throws RangeError for an unknown name. */
export function zoneOf(name: string): Zone {
  const cached = zones.get(name);
  if (cached) return cached;
  const canonical = canonicalZone(name);
  // The message does not repeat the invalid name.
  if (canonical === null) throw new RangeError('time zone must be a known IANA zone');
  const zone = zones.get(canonical) ?? { name: canonical, changes: changesOf(canonical), last: 0 };
  zones.set(canonical, zone);
  return zone;
}

/** Returns the rules for a name in the database. An unknown name counts as UTC, so that one such row fails no list. */
export function storedZone(name: string): Zone {
  return zoneOf(canonicalZone(name) ?? 'UTC');
}

function changesOf(name: string): Change[] {
  const rules = byName.get(name.toLowerCase())?.rules ?? '';
  if (rules.startsWith('=')) return changesOf(rules.slice(1));
  const [first, ...rest] = rules.split(' ');
  const changes: Change[] = [{ from: Number.NEGATIVE_INFINITY, offset: Number(first) }];
  let from = parseDay(`${FIRST_YEAR}-01-01`) * DAY;
  for (let at = 0; at + 1 < rest.length; at += 2) {
    from += Number.parseInt(rest[at] ?? '', 36);
    changes.push({ from, offset: Number(rest[at + 1]) });
  }
  return changes;
}

/*
 * After the table, rules repeat. A rule such as "the last Sunday of March" depends only on the weekday of March 1.
 * Years here start on March 1, so that the leap day is the last day of a year. A year after the table has the rules of
 * the last year of the table that starts on the same weekday.
 */
const REPEATS_FROM = parseDay(`${LAST_YEAR + 1}-03-01`);
/** They start on all seven weekdays. */
const LAST_YEARS = Array.from({ length: 8 }, (_, back) => parseDay(`${LAST_YEAR - back}-03-01`));
const CYCLE = 146_097;

function repeated(instant: number): number {
  // 400 years have a whole number of weeks. The day lies in the first 400 years after the start of the repetition.
  const days = Math.floor(instant / DAY);
  const day = REPEATS_FROM + ((days - REPEATS_FROM) % CYCLE);
  const date = new Date(day * 86_400_000);
  const year = date.getUTCFullYear() - (date.getUTCMonth() < 2 ? 1 : 0);
  const start = parseDay(`${year}-03-01`);
  const like = LAST_YEARS.find((one) => weekdayOf(one) === weekdayOf(start)) ?? start;
  return instant + (like - start + day - days) * DAY;
}

/** Returns the offset from UTC in minutes at an instant (epoch minutes). Before 2000, it is that of 2000. */
export function offsetAt(zone: Zone, instant: number): number {
  const { changes } = zone;
  if (changes.length > 1 && instant >= REPEATS_FROM * DAY) return offsetAt(zone, repeated(instant));
  const last = changes[zone.last];
  if (last && last.from <= instant && instant < (changes[zone.last + 1]?.from ?? Number.POSITIVE_INFINITY))
    return last.offset;
  let low = 0;
  let high = changes.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((changes[middle]?.from ?? 0) <= instant) low = middle;
    else high = middle - 1;
  }
  zone.last = low;
  return changes[low]?.offset ?? 0;
}

/** Only `name` is stored. */
type ZoneChoice = {
  name: string;
  /** At present, such as `+05:30`. */
  offset: string;
  /** The English name. */
  country: string | null;
  country_code: string | null;
  /** Such as `Asia/Calcutta`. */
  other_names: string[];
};

/** Returns all time zones in the order of their names, with their offsets at `now`. */
export function zoneChoices(now: Date): ZoneChoice[] {
  const instant = Math.floor(now.getTime() / 60_000);
  return entries.map(({ name, country, aliases }) => ({
    name,
    offset: offsetText(offsetAt(zoneOf(name), instant)),
    country: countries.get(country) ?? null,
    country_code: countries.has(country) ? country : null,
    other_names: aliases,
  }));
}

/** Formats an offset in minutes as in RFC 3339: `+05:30`. */
export function offsetText(offset: number): string {
  return `${offset < 0 ? '-' : '+'}${formatTime(Math.abs(offset))}`;
}

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
type OffsetChange = { at: number; before: number; offset: number };

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
interface LocalInstant {
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
