import ICAL from 'ical.js';
import { expect, test } from 'vitest';
import { beginCalendar } from '@/lib/booking/calendar-feeds/calendar';
import type { FeedEvent } from '@/lib/booking/calendar-feeds/events';

const EVENT: FeedEvent = {
  uid: 'pbr_00000000000000000000000001',
  sequence: 1,
  created: new Date('2026-09-01T08:00:00.500Z'),
  changed: new Date('2026-09-02T09:00:00.500Z'),
  starts_at: '2026-09-14T09:00:00+02:00',
  ends_at: '2026-09-14T09:30:00+02:00',
  time_zone: 'Europe/Berlin',
  cancelled: false,
  summary: 'Haircut',
  description: 'Reference: pbr_1\nService: Haircut',
  location: 'Studio',
  url: 'https://booking.example/t/ten_1/bookings/pbr_1',
};

function documentOf(...events: Partial<FeedEvent>[]): string {
  const calendar = beginCalendar('Salon');
  calendar.add(events.map((event) => ({ ...EVENT, ...event })));
  return calendar.end();
}

/** Parses a document strictly with ical.js, and reads its events with the time zones of the document alone. */
function readWithIcal(text: string) {
  const root = new ICAL.Component(ICAL.parse(text));
  const zones = new Map(
    root.getAllSubcomponents('vtimezone').map((component) => {
      const zone = new ICAL.Timezone(component);
      return [zone.tzid, zone] as const;
    }),
  );
  return root.getAllSubcomponents('vevent').map((component) => {
    const instant = (name: string) => {
      const property = component.getFirstProperty(name);
      const time = property?.getFirstValue() as InstanceType<typeof ICAL.Time>;
      const zone = zones.get(String(property?.getParameter('tzid') ?? ''));
      if (zone) time.zone = zone;
      return new Date(time.toUnixTime() * 1000).toISOString();
    };
    return {
      uid: component.getFirstPropertyValue('uid'),
      starts: instant('dtstart'),
      ends: instant('dtend'),
      summary: component.getFirstPropertyValue('summary'),
      description: component.getFirstPropertyValue('description'),
      properties: component.getAllProperties().length,
    };
  });
}

test.each([
  ['the last hour before the clock jumps', '2026-03-29T01:30:00+01:00', '2026-03-29T03:30:00+02:00', 'Europe/Berlin'],
  ['after the jump', '2026-03-29T03:00:00+02:00', '2026-03-29T04:00:00+02:00', 'Europe/Berlin'],
  ['an end in the repeated hour', '2026-10-25T02:30:00+02:00', '2026-10-25T02:15:00+01:00', 'Europe/Berlin'],
  ['the second pass of the repeated hour', '2026-10-25T02:30:00+01:00', '2026-10-25T03:30:00+01:00', 'Europe/Berlin'],
  ['across the repeated hour', '2026-10-25T01:30:00+02:00', '2026-10-25T04:00:00+01:00', 'Europe/Berlin'],
  ['New York in autumn', '2026-11-01T01:30:00-04:00', '2026-11-01T01:15:00-05:00', 'America/New_York'],
  ['a change by half an hour', '2026-04-05T01:45:00+11:00', '2026-04-05T01:45:00+10:30', 'Australia/Lord_Howe'],
  ['no daylight saving', '2026-07-01T09:00:00+05:30', '2026-07-01T10:00:00+05:30', 'Asia/Kolkata'],
  ['five years ahead', '2031-07-01T09:00:00+02:00', '2031-07-01T10:00:00+02:00', 'Europe/Berlin'],
  ['a stored zone that IANA does not have', '2026-07-01T09:00:00+02:00', '2026-07-01T10:00:00+02:00', 'Mars/Olympus'],
])('a calendar program reads the instants of %s', (_, starts_at, ends_at, time_zone) => {
  // A second event in another season makes the document contain several changes of the offset.
  const text = documentOf({ starts_at, ends_at, time_zone }, { uid: 'x', starts_at: '2027-01-15T09:00:00+01:00' });
  const expected = { starts: new Date(starts_at).toISOString(), ends: new Date(ends_at).toISOString() };
  expect(readWithIcal(text).find(({ uid }) => uid === EVENT.uid)).toMatchObject(expected);
});

test('local times have a TZID whose VTIMEZONE is in the document', () => {
  const text = documentOf({});
  expect(text).toContain('DTSTART;TZID=Europe/Berlin:20260914T090000\r\n');
  expect(text).toContain('DTEND;TZID=Europe/Berlin:20260914T093000\r\n');
  expect(text).toContain('BEGIN:VTIMEZONE\r\nTZID:Europe/Berlin\r\n');
  expect(text).not.toContain('RRULE');
});

const HOSTILE = [
  'Cut\r\nEND:VEVENT\r\nBEGIN:VEVENT\r\nSUMMARY:Injected',
  'Cut\rATTENDEE:mailto:a@b.example',
  'Cut\u2028line\u0085next\u0000nul\u007f',
  'Wash, cut; color: \\n "deluxe" \\, ^n',
  `${'é'.repeat(60)}${'💇🏽‍♀️'.repeat(30)}`,
  'a'.repeat(75 - 'SUMMARY:'.length),
  `${'x'.repeat(66)}💇`,
  ' leading and trailing ',
  '',
];

test.each(HOSTILE)('a hostile name stays one value: %j', (name) => {
  const text = documentOf({ summary: name, description: `Service: ${name.replaceAll('\n', ' ')}`, location: name });
  const clean = name.replace(/\p{Cc}+/gu, ' ');
  const [event, ...others] = readWithIcal(text);
  expect(others).toEqual([]);
  expect(event).toMatchObject({ summary: clean, properties: 13 });
  const all = text.split('\r\n');
  expect(all.join('')).not.toMatch(/[\r\n]/);
  for (const line of all) {
    expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
    // A line that is cut within a character contains a replacement character after it is encoded.
    expect(Buffer.from(line).toString()).toBe(line);
  }
});

test('a hostile name of the calendar stays one value', () => {
  const calendar = beginCalendar('Salon\r\nX-EVIL:1; a, b');
  const root = new ICAL.Component(ICAL.parse(calendar.end()));
  expect(root.getFirstPropertyValue('x-wr-calname')).toBe('Salon X-EVIL:1; a, b');
  expect(root.getFirstProperty('x-evil')).toBeNull();
});

test('the order in which events are found does not change the document', () => {
  const early = { uid: 'a', starts_at: '2026-09-14T08:00:00+02:00' };
  expect(documentOf(early, {})).toBe(documentOf({}, early));
});
