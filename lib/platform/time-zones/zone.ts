import { DAY, parseDay, weekdayOf } from './calendar';
import { ZONES } from './in-use';
import { ZONE_COUNTRIES } from './rules';

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

const two = (value: number) => String(value).padStart(2, '0');

/** Formats an offset in minutes as in RFC 3339: `+05:30`. */
export function offsetText(offset: number): string {
  const minutes = Math.abs(offset);
  return `${offset < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}
