import ICAL from 'ical.js';
import {
  DAY,
  formatDay,
  formatTime,
  offsetChanges,
  offsetText,
  onlyInstant,
  storedZone,
} from '@/lib/platform/time-zones';
import type { FeedEvent } from './events';

/** A property in jCal: its name, parameters, type, and value. */
type Property = [name: string, parameters: Record<string, string>, type: string, value: string | number];

/** How often calendar programs should read the feed. Most have their own interval. */
const REFRESH = 'PT15M';

// ical.js does not count the space that begins a continuation line.
ICAL.foldLength = 74;

/** Returns the lines of an iCalendar component, without those of components in it. Lines are folded after 75 bytes. */
function linesOf(properties: readonly Property[]): string {
  return properties
    .map((property) => `${ICAL.stringify.property(property, ICAL.design.icalendar, false)}\r\n`)
    .join('');
}

const block = (name: string, content: string) => `BEGIN:${name}\r\n${content}END:${name}\r\n`;

/**
 * Returns a text property. Control characters, including line breaks, become spaces. ical.js would write a carriage return
 * as it is, and the rest of the value would become a line of its own.
 */
function text(name: string, value: string): Property {
  return [name, {}, 'text', value.replace(/\p{Cc}+/gu, ' ')];
}

/** Like `text`, but each element is a line of the value. */
function lines(name: string, values: readonly string[]): Property {
  return [name, {}, 'text', values.map((value) => text(name, value)[3]).join('\n')];
}

const utc = (name: string, at: Date): Property => [name, {}, 'date-time', `${at.toISOString().slice(0, 19)}Z`];

/**
 * Returns a property with a local time in its time zone. A local time that occurs twice, or that the rules of this process
 * read as another instant, is stated in UTC: calendar programs do not agree on which of the two it is.
 * @param local RFC 3339
 */
function zoned(name: string, local: string, timeZone: string): Property {
  const at = new Date(local);
  const zone = storedZone(timeZone);
  return onlyInstant(zone, local.slice(0, 10), local.slice(11, 16)) === at.getTime() / 60_000
    ? [name, { tzid: zone.name }, 'date-time', local.slice(0, 19)]
    : utc(name, at);
}

function eventText(event: FeedEvent): string {
  const { uid, sequence, time_zone, cancelled, summary, description, location, url } = event;
  return block(
    'VEVENT',
    linesOf([
      text('uid', uid),
      utc('dtstamp', event.changed),
      utc('created', event.created),
      utc('last-modified', event.changed),
      ['sequence', {}, 'integer', sequence],
      zoned('dtstart', event.starts_at, time_zone),
      zoned('dtend', event.ends_at, time_zone),
      text('summary', summary),
      lines('description', description.split('\n')),
      ...(location === null ? [] : [text('location', location)]),
      ['url', {}, 'uri', url],
      ['status', {}, 'text', cancelled ? 'CANCELLED' : 'CONFIRMED'],
      ['transp', {}, 'text', cancelled ? 'TRANSPARENT' : 'OPAQUE'],
    ]),
  );
}

/** Returns a local time of the zone with the given offset, as jCal. `at` is in epoch minutes. */
function localAt(at: number, offset: number): string {
  const local = at + offset;
  const day = Math.floor(local / DAY);
  return `${formatDay(day)}T${formatTime(local - day * DAY)}:00`;
}

/**
 * Returns the VTIMEZONE of a time zone between two instants (epoch minutes), from the rules of this process. Each change of
 * the offset is stated on its own, because the rules have no recurrence.
 */
function zoneText(name: string, from: number, to: number): string {
  const changes = offsetChanges(storedZone(name), from, to);
  const standard = Math.min(...changes.map(({ offset }) => offset));
  const observances = changes.map(({ at, before, offset }) =>
    block(
      offset > standard ? 'DAYLIGHT' : 'STANDARD',
      linesOf([
        ['dtstart', {}, 'date-time', localAt(at, before)],
        ['tzoffsetfrom', {}, 'utc-offset', offsetText(before)],
        ['tzoffsetto', {}, 'utc-offset', offsetText(offset)],
      ]),
    ),
  );
  return block('VTIMEZONE', linesOf([text('tzid', name)]) + observances.join(''));
}

/** The first start and the last end in each time zone, in epoch minutes. */
type Ranges = Map<string, { from: number; to: number }>;

function widen(ranges: Ranges, { starts_at, ends_at, time_zone }: FeedEvent): void {
  const { name } = storedZone(time_zone);
  const [start, end] = [Date.parse(starts_at) / 60_000, Date.parse(ends_at) / 60_000];
  const { from, to } = ranges.get(name) ?? { from: start, to: end };
  ranges.set(name, { from: Math.min(from, start), to: Math.max(to, end) });
}

function zonesText(ranges: Ranges): string {
  return [...ranges]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, { from, to }]) => zoneText(name, dayBefore(from), to + DAY))
    .join('');
}

const dayBefore = (minute: number) => (Math.floor(minute / DAY) - 1) * DAY;

/** An iCalendar document that grows page by page (RFC 5545). */
export type Calendar = { add: (events: readonly FeedEvent[]) => void; end: () => string };

/** Begins the iCalendar document of a feed with the given name. */
export function beginCalendar(name: string): Calendar {
  const parts: { start: string; text: string }[] = [];
  const ranges: Ranges = new Map();
  return {
    add: (events) => {
      for (const event of events) {
        widen(ranges, event);
        parts.push({ start: new Date(event.starts_at).toISOString() + event.uid, text: eventText(event) });
      }
    },
    end: () => {
      // Ordered, so that the same events always give the same document.
      parts.sort((a, b) => (a.start < b.start ? -1 : 1));
      const head = linesOf([
        text('version', '2.0'),
        text('prodid', '-//Partner Booking//Calendar feed//EN'),
        text('calscale', 'GREGORIAN'),
        text('name', name),
        text('x-wr-calname', name),
        ['refresh-interval', {}, 'duration', REFRESH],
        ['x-published-ttl', {}, 'unknown', REFRESH],
      ]);
      return block('VCALENDAR', head + zonesText(ranges) + parts.map((part) => part.text).join(''));
    },
  };
}
