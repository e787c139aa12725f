import { setImmediate as yieldLoop } from 'node:timers/promises';
import ICAL from 'ical.js';
import { containsSecret } from '@/lib/platform/text/secret';
import { boundaryInstant, DAY, formatInstant, parseDay, parseTime, type Zone } from '@/lib/platform/time-zones';
import { type Interval, mergeIntervals } from '../availability/input';
import { type Budget, type Rule, readRule, spend, startsOf } from './recurrence';
import { type Component, SLICE, scanCalendar, UnreadableCalendar } from './scan';
import { embeddedInstants, knownInstants, knownZone, localOf, type Observance, type ToInstant } from './zones';

/** Maximum number of busy times within the days that are read. */
const MAX_TIMES = 5_000;
/** The work of all repeats and conversions of a calendar (see `Budget`). */
const MAX_WORK = 500_000;
/** The work between two pauses. */
const MAX_SLICE = 20_000;
/** The characters of components between two pauses. One component is parsed without a pause. */
const MAX_PARSED = 50_000;
/** The work of all embedded time zones. They are computed without a pause, and real ones take a few hundred each. */
const MAX_ZONE_WORK = 50_000;
const MAX_TITLE = 200;
/** Maximum minutes of one event: ten years. */
const MAX_LENGTH = 3_660 * DAY;

/** A time in local minutes. Without titles, times are sorted and disjoint. */
export type BusyTime = Interval & { readonly title: string | null };

/** The busy times of a calendar. `unread` is the number of its entries that were left out because they state no valid time. */
export type BusyTimes = { busy: BusyTime[]; unread: number };

/**
 * The first and the last day that are read (days since 1970-01-01), the time zones of the locations, and whether titles are
 * read.
 */
export type Reading = { from: number; to: number; zones: readonly Zone[]; titles: boolean };

type Property = { params: Record<string, unknown>; type: string; values: unknown[] };
type Properties = ReadonlyMap<string, readonly Property[]>;
/** A time of an event. `zone` is null for a floating time or a date, which apply in the time zone of each location. */
type Moment = { local: number; isDate: boolean; zone: ToInstant | null };
/** Minutes of an event. With `isWall`, its clock shows them, so that a change of the offset does not move its end. */
type Length = { minutes: number; isWall: boolean };
type Zones = (tzid: string) => ToInstant | null;
type Event = {
  uid: string;
  title: string | null;
  sequence: number;
  start: Moment;
  length: Length;
  isBusy: boolean;
  rule: Rule | null;
  added: { start: Moment; length: Length | null }[];
  removed: Moment[];
  replaces: Moment | null;
  andFollowing: boolean;
};
type Add = (start: Moment, length: Length, title: string | null) => void;

const UTC: ToInstant = (local) => local;

/**
 * Returns when a calendar is busy on the given days. Nothing but times and, if wanted, titles leaves this function. If the locations have
 * several time zones, a local time is busy if it is busy in one of them. The work is bounded, whatever the text
 * contains, and other requests run in between.
 * @throws UnreadableCalendar if the text is no complete calendar, or exceeds a limit.
 */
export async function readCalendar(text: string, reading: Reading): Promise<BusyTimes> {
  const components = await scanCalendar(text, reading.titles);
  const budget: Budget = { left: MAX_WORK, pauseAt: MAX_WORK - MAX_SLICE };
  const zones = zoneReader(components, reading);
  const times: BusyTime[] = [];
  const add = timeAdder(times, reading, budget);
  const series = new Map<string, Event[]>();
  let unread = 0;
  let parsed = 0;
  for (const [index, { name, text: source }] of components.entries()) {
    parsed += source.length;
    if (index % SLICE === 0 || parsed > MAX_PARSED) {
      await yieldLoop();
      parsed = 0;
    }
    if (name === 'VTIMEZONE' || isElsewhen(source, reading)) continue;
    const [properties] = parse(source);
    if (properties && name === 'VFREEBUSY') {
      for (const { start, length } of periodsOf(properties, 'freebusy', zones)) if (length) add(start, length, null);
      continue;
    }
    const event = properties && eventOf(properties, zones);
    const same = event && series.get(event.uid);
    if (!event) unread += 1;
    else if (same) same.push(event);
    else series.set(event.uid, [event]);
  }
  let index = 0;
  for (const events of series.values()) {
    if (index % SLICE === 0) await yieldLoop();
    await addSeries(events, reading, budget, add);
    index += 1;
  }
  return { busy: reading.titles ? withoutEqual(times) : merged(times), unread };
}

function merged(times: readonly BusyTime[]): BusyTime[] {
  return mergeIntervals(times).map(({ from, to }) => ({ from, to, title: null }));
}

/** Returns the times without those that differ only in their title. */
function withoutEqual(times: readonly BusyTime[]): BusyTime[] {
  const found = new Map<string, BusyTime>();
  for (const time of times) {
    const key = `${time.from} ${time.to}`;
    if (time.from < time.to && !found.get(key)?.title) found.set(key, time);
  }
  return [...found.values()].sort((a, b) => a.from - b.from || a.to - b.to);
}

/** Returns whether an event without a repeat certainly lies outside the days that are read. */
function isElsewhen(source: string, { from, to }: Reading): boolean {
  const dayOf = (pattern: RegExp) => {
    const [, year, month, day] = pattern.exec(source) ?? [];
    return year === undefined ? null : localOf(`${year}-${month}-${day}`);
  };
  if (/^(RRULE|RDATE|RECURRENCE-ID|FREEBUSY)[;:]/im.test(source)) return false;
  const end = dayOf(/^DTEND(?:;[^:\r\n]{1,100})?:(\d{4})(\d{2})(\d{2})/im);
  if (end !== null && end < (from - 2) * DAY) return true;
  const start = dayOf(/^DTSTART(?:;[^:\r\n]{1,100})?:(\d{4})(\d{2})(\d{2})/im);
  return start !== null && start > (to + 2) * DAY;
}

type Jcal = [string, unknown[], unknown[]];

/** Returns the properties of a component, and those of its parts. Returns nothing for an invalid component. */
function parse(source: string): Properties[] {
  try {
    const [, properties, parts] = ICAL.parse(source) as unknown as Jcal;
    return [properties, ...parts.map((part) => (part as Jcal)[1])].map(propertiesOf);
  } catch {
    return [];
  }
}

function propertiesOf(list: unknown[]): Properties {
  const found = new Map<string, Property[]>();
  for (const [name, params, type, ...values] of list as [string, Record<string, unknown>, string, ...unknown[]][]) {
    const same = found.get(name);
    if (same) same.push({ params, type, values });
    else found.set(name, [{ params, type, values }]);
  }
  return found;
}

const textOf = (properties: Properties, name: string): string =>
  String(properties.get(name)?.[0]?.values[0] ?? '').trim();

/** Returns the conversion for the name of a time zone: that of IANA, that of the calendar, or null for neither. */
function zoneReader(components: readonly Component[], reading: Reading): Zones {
  const budget: Budget = { left: MAX_ZONE_WORK, pauseAt: 0 };
  const embedded = new Map<string, Properties[]>();
  for (const { name, text } of components) {
    if (name !== 'VTIMEZONE') continue;
    const parts = parse(text);
    const tzid = parts[0] && textOf(parts[0], 'tzid');
    if (tzid && embedded.size < 200) embedded.set(tzid, parts);
  }
  const known = new Map<string, ToInstant | null>();
  return (tzid) => {
    const cached = known.get(tzid);
    if (cached !== undefined) return cached;
    if (known.size > 1_000) throw new UnreadableCalendar('too_complex');
    const [head, ...observances] = embedded.get(tzid) ?? [];
    const name = knownZone(tzid) ?? (head ? knownZone(textOf(head, 'x-lic-location')) : null);
    const rules = observances.flatMap((part) => observanceOf(part) ?? []);
    const own = rules.length > 0 ? embeddedInstants(rules, reading, budget) : null;
    const zone = name === null ? own : knownInstants(name);
    known.set(tzid, zone);
    return zone;
  };
}

function observanceOf(part: Properties): Observance | null {
  const offset = (name: string) => {
    const [, sign, hours, minutes] = /^([+-])(\d{2}):(\d{2})/.exec(textOf(part, name)) ?? [];
    const value = Number(hours) * 60 + Number(minutes);
    return value < DAY ? (sign === '-' ? -value : value) : null;
  };
  const [start, offsetFrom, offsetTo] = [
    localOf(textOf(part, 'dtstart')),
    offset('tzoffsetfrom'),
    offset('tzoffsetto'),
  ];
  if (start === null || offsetFrom === null || offsetTo === null) return null;
  const rule = part.get('rrule')?.[0]?.values[0];
  return { start, offsetFrom, offsetTo, rule: rule === undefined ? null : readRule(rule) };
}

function momentsOf(properties: Properties, name: string, zones: Zones): Moment[] {
  return (properties.get(name) ?? []).flatMap(({ params, type, values }) =>
    type === 'date' || type === 'date-time'
      ? values.flatMap((value) => momentOf(String(value), params, zones) ?? [])
      : [],
  );
}

function momentOf(given: string, params: Record<string, unknown>, zones: Zones): Moment | null {
  // Some programs leave out VALUE=DATE. ical.js then adds an empty time.
  const text = given.replace(/T::$/, '');
  const local = localOf(text);
  if (local === null) return null;
  if (text.length === 10) return { local, isDate: true, zone: null };
  if (text.endsWith('Z')) return { local, isDate: false, zone: UTC };
  // A time zone that nobody knows counts as that of the location.
  return { local, isDate: false, zone: typeof params.tzid === 'string' ? zones(params.tzid) : null };
}

/** Returns the length of a DURATION (RFC 5545, 3.3.6), or null if it is invalid or negative. */
function durationOf(text: string): Length | null {
  const match = /^\+?P(?:(\d{1,6})W)?(?:(\d{1,6})D)?(T(?:(\d{1,6})H)?(?:(\d{1,8})M)?(?:(\d{1,9})S)?)?$/.exec(text);
  if (!match) return null;
  const [weeks, days, time, hours, minutes, seconds] = match.slice(1);
  const whole = (Number(weeks ?? 0) * 7 + Number(days ?? 0)) * DAY;
  const part = Number(hours ?? 0) * 60 + Number(minutes ?? 0) + Math.ceil(Number(seconds ?? 0) / 60);
  return { minutes: whole + part, isWall: time === undefined };
}

function lengthBetween(start: Moment, end: Moment): Length {
  if (start.zone === end.zone) return { minutes: end.local - start.local, isWall: true };
  const instant = ({ local, zone }: Moment) => (zone ? zone(local) : local);
  return { minutes: instant(end) - instant(start), isWall: false };
}

function periodsOf(properties: Properties, name: string, zones: Zones): { start: Moment; length: Length | null }[] {
  return (properties.get(name) ?? []).flatMap(({ params, type, values }) => {
    if (type !== 'period' || String(params.fbtype ?? '').toUpperCase() === 'FREE') return [];
    return values.flatMap((value) => {
      const [from, to] = Array.isArray(value) ? value.map(String) : [];
      const start = momentOf(from ?? '', params, zones);
      const end = momentOf(to ?? '', params, zones);
      const length = start && end ? lengthBetween(start, end) : durationOf(to ?? '');
      return start ? [{ start, length }] : [];
    });
  });
}

function eventOf(properties: Properties, zones: Zones): Event | null {
  const [start] = momentsOf(properties, 'dtstart', zones);
  if (!start) return null;
  const [end] = momentsOf(properties, 'dtend', zones);
  const duration = properties.has('duration') ? durationOf(textOf(properties, 'duration')) : undefined;
  const length = end ? lengthBetween(start, end) : (duration ?? { minutes: start.isDate ? DAY : 0, isWall: true });
  if (duration === null || length.minutes < 0 || length.minutes > MAX_LENGTH) return null;
  const rule = properties.get('rrule')?.[0]?.values[0];
  const [replaces = null] = momentsOf(properties, 'recurrence-id', zones);
  if (properties.has('recurrence-id') && replaces === null) return null;
  const range = properties.get('recurrence-id')?.[0]?.params.range;
  return {
    uid: textOf(properties, 'uid'),
    title: titleOf(textOf(properties, 'summary')),
    sequence: Number(textOf(properties, 'sequence')) || 0,
    ...{ start, length, replaces },
    isBusy: isBusy(properties),
    rule: rule === undefined ? null : readRule(rule),
    added: [
      ...momentsOf(properties, 'rdate', zones).map((at) => ({ start: at, length: null })),
      ...periodsOf(properties, 'rdate', zones),
    ],
    removed: momentsOf(properties, 'exdate', zones),
    andFollowing: String(range ?? '').toUpperCase() === 'THISANDFUTURE',
  };
}

/** Returns a title in one line without characters that could change how the text around it looks. */
function titleOf(text: string): string | null {
  const line = text
    .replace(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069\ufffd]/gu, ' ')
    .replace(/ {2,}/g, ' ')
    .trim();
  return line === '' || containsSecret(line) ? null : [...line].slice(0, MAX_TITLE).join('').trim();
}

function isBusy(properties: Properties): boolean {
  const word = (name: string) => textOf(properties, name).toUpperCase();
  if (word('status') === 'CANCELLED') return false;
  // Outlook states here what its calendar shows.
  const outlook = word('x-microsoft-cdo-busystatus');
  return outlook === '' ? word('transp') !== 'TRANSPARENT' : outlook !== 'FREE';
}

/** The texts by which a time of one form finds an occurrence of another: its instant, its local time, and its date. */
function keysOf({ local, isDate, zone }: Moment): string[] {
  if (isDate) return [`day ${Math.floor(local / DAY)}`];
  return zone ? [`at ${zone(local)}`] : [`local ${local}`];
}

function occurrenceKeys(at: Moment): string[] {
  const day = `day ${Math.floor(at.local / DAY)}`;
  return [day, `local ${at.local}`, ...(at.zone ? [`at ${at.zone(at.local)}`] : [])];
}

/** Adds the times of all events with one UID: of the repeats, without those that other events replace, and of these. */
async function addSeries(events: readonly Event[], reading: Reading, budget: Budget, add: Add): Promise<void> {
  const replacing = new Map<string, Event>();
  for (const event of events) {
    if (!event.replaces) continue;
    const key = keysOf(event.replaces).join();
    if ((replacing.get(key)?.sequence ?? -1) <= event.sequence) replacing.set(key, event);
  }
  const changed = [...replacing.values()];
  const following = changed.filter(({ andFollowing }) => andFollowing);
  for (const { isBusy, start, length, title } of changed) if (isBusy) add(start, length, title);
  for (const event of events) {
    if (event.replaces) continue;
    spend(budget, replacing.size + event.removed.length);
    const removed = new Set([...event.removed.flatMap(keysOf), ...replacing.keys()]);
    for (const occurrence of occurrencesOf(event, reading, budget)) {
      if (budget.left <= budget.pauseAt) {
        budget.pauseAt = budget.left - MAX_SLICE;
        await yieldLoop();
      }
      if (occurrence === null) continue;
      const { start, length } = occurrence;
      spend(budget, 1 + following.length);
      if (occurrenceKeys(start).some((key) => removed.has(key))) continue;
      const change = lastBefore(following, start);
      if (!change && event.isBusy) add(start, length, event.title);
      if (change?.event.isBusy)
        add({ ...start, local: start.local + change.shift }, change.event.length, change.event.title);
    }
  }
}

const instantOf = ({ local, zone }: Moment) => (zone ? zone(local) : local);

/** Returns the last event that replaces an occurrence and those after it, and the minutes by which it moves them. */
function lastBefore(following: readonly Event[], start: Moment): { event: Event; shift: number } | null {
  let found: { event: Event; shift: number; at: number } | null = null;
  for (const event of following) {
    const at = event.replaces ? instantOf(event.replaces) : 0;
    if (at <= instantOf(start) && (!found || at > found.at)) found = { event, at, shift: instantOf(event.start) - at };
  }
  return found;
}

function* occurrencesOf(
  event: Event,
  { from, to }: Reading,
  budget: Budget,
): Generator<{ start: Moment; length: Length } | null> {
  const { start, length, rule, added } = event;
  yield { start, length };
  for (const one of added) yield { start: one.start, length: one.length ?? length };
  if (!rule) return;
  // An earlier occurrence can last until the first day. Days differ between time zones.
  const range = { from: from - Math.ceil(length.minutes / DAY) - 2, to: to + 2 };
  for (const local of startsOf(rule, start.local, range, budget)) {
    if (local !== null && isAfter({ ...start, local }, rule.until)) return;
    yield local === null ? null : { start: { ...start, local }, length };
  }
}

function isAfter(at: Moment, until: string | null): boolean {
  const last = until === null ? null : localOf(until);
  if (until === null || last === null) return false;
  if (until.length === 10) return at.local >= last + DAY;
  return (until.endsWith('Z') ? instantOf(at) : at.local) > last;
}

function timeAdder(times: BusyTime[], { from, to, zones }: Reading, budget: Budget): Add {
  const [first, end] = [from * DAY, (to + 1) * DAY];
  let left = MAX_TIMES;
  return ({ local, zone }, { minutes, isWall }, title) => {
    const begin = zone ? zone(local) : local;
    const until = zone && isWall ? zone(local + minutes) : begin + minutes;
    if (minutes === 0 || begin >= end + DAY || until <= first - DAY) return;
    left -= 1;
    if (left < 0) throw new UnreadableCalendar('too_many');
    spend(budget, zones.length);
    const ranges = zone ? zones.map((one) => localRange(one, begin, until)) : [{ from: begin, to: until }];
    for (const range of ranges) times.push({ from: Math.max(range.from, first), to: Math.min(range.to, end), title });
  };
}

/** Returns the local time that contains the instants [from, to), even if the clock shows some of it twice. */
export function localRange(zone: Zone, from: number, to: number): Interval {
  const localAt = (instant: number) => {
    const { date, time } = formatInstant(zone, instant);
    return parseDay(date) * DAY + parseTime(time);
  };
  let end = localAt(to);
  // A block closes a time that occurs twice only once, so it must last until the second one has ended.
  while (boundaryInstant(zone, end) < to) end += 1;
  return { from: localAt(from), to: end };
}
