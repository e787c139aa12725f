import { describe, expect, test } from 'vitest';
import { type Reading, readCalendar } from '@/lib/booking/calendars/read';
import { DAY, formatDay, formatTime, parseDay, zoneOf } from '@/lib/platform/time-zones';

const BERLIN = zoneOf('Europe/Berlin');
const range = (from: string, to: string, zones = [BERLIN]): Reading => ({
  from: parseDay(from),
  to: parseDay(to),
  zones,
  titles: false,
});
const YEAR = range('2026-01-01', '2026-12-31');

const calendar = (...lines: string[]) => ['BEGIN:VCALENDAR', 'VERSION:2.0', ...lines, 'END:VCALENDAR', ''].join('\r\n');
const event = (...lines: string[]) => ['BEGIN:VEVENT', 'UID:one', ...lines, 'END:VEVENT'];
const local = (at: number) => `${formatDay(Math.floor(at / DAY))} ${formatTime(at - Math.floor(at / DAY) * DAY)}`;

async function busy(text: string, reading = YEAR): Promise<string[]> {
  const { busy: times } = await readCalendar(text, reading);
  return times.map(({ from, to }) => `${local(from)} - ${local(to)}`);
}
const ofEvent = (lines: string[], reading = YEAR) => busy(calendar(...event(...lines)), reading);
const problem = (text: string, reading = YEAR) =>
  readCalendar(text, reading).then(
    () => null,
    (error: unknown) => (error instanceof Error ? error.message : null),
  );

describe('times', () => {
  test('of UTC, of a zone, floating, and of a whole day', async () => {
    expect(await ofEvent(['DTSTART:20260701T080000Z', 'DTEND:20260701T090000Z'])).toEqual([
      '2026-07-01 10:00 - 2026-07-01 11:00',
    ]);
    expect(await ofEvent(['DTSTART;TZID=America/New_York:20260701T080000', 'DURATION:PT30M'])).toEqual([
      '2026-07-01 14:00 - 2026-07-01 14:30',
    ]);
    expect(await ofEvent(['DTSTART:20260701T080000', 'DTEND:20260701T093010'])).toEqual([
      '2026-07-01 08:00 - 2026-07-01 09:30',
    ]);
    for (const start of ['DTSTART;VALUE=DATE:20260701', 'DTSTART:20260701'])
      expect(await ofEvent([start])).toEqual(['2026-07-01 00:00 - 2026-07-02 00:00']);
    expect(await ofEvent(['DTSTART;VALUE=DATE:20260701', 'DTEND;VALUE=DATE:20260704'])).toEqual([
      '2026-07-01 00:00 - 2026-07-04 00:00',
    ]);
    expect(await ofEvent(['DTSTART:20260701T080000Z'])).toEqual([]);
  });

  test('that the clock shows twice are busy until the second one ends, and in every zone of the locations', async () => {
    // 02:30 to 02:45 after the clock was set back in Berlin.
    expect(await ofEvent(['DTSTART:20261025T013000Z', 'DURATION:PT15M'])).toEqual([
      '2026-10-25 02:30 - 2026-10-25 03:00',
    ]);
    const two = range('2026-01-01', '2026-12-31', [BERLIN, zoneOf('Europe/London')]);
    expect(await ofEvent(['DTSTART:20260701T080000Z', 'DURATION:PT30M'], two)).toEqual([
      '2026-07-01 09:00 - 2026-07-01 09:30',
      '2026-07-01 10:00 - 2026-07-01 10:30',
    ]);
  });

  test('of the years 1601 and 9999, and impossible ones', async () => {
    expect(await ofEvent(['DTSTART:16010101T000000Z', 'DURATION:PT1H'])).toEqual([]);
    expect(await ofEvent(['DTSTART:99991231T235900Z', 'DURATION:PT1H'])).toEqual([]);
    expect(await ofEvent(['DTSTART:16010105T100000', 'DURATION:PT1H', 'RRULE:FREQ=YEARLY'])).toEqual([
      '2026-01-05 10:00 - 2026-01-05 11:00',
    ]);
    const forever = ['DTSTART:20260105T100000', 'DURATION:PT1H', 'RRULE:FREQ=YEARLY;UNTIL=99991231T235959Z'];
    expect(await ofEvent(forever)).toHaveLength(1);
    for (const start of ['20261341T990000Z', '2026', '20260230T100000', 'x'])
      expect(await readCalendar(calendar(...event(`DTSTART:${start}`, 'DURATION:PT1H')), YEAR)).toEqual({
        busy: [],
        unread: 1,
      });
    expect(
      (await readCalendar(calendar(...event('DTSTART:20260701T080000Z', 'DTEND:20260630T080000Z')), YEAR)).unread,
    ).toBe(1);
  });
});

describe('time zones', () => {
  const vtimezone = (tzid: string, ...more: string[]) => [
    ...['BEGIN:VTIMEZONE', `TZID:${tzid}`, ...more],
    ...['BEGIN:STANDARD', 'DTSTART:16010101T030000', 'TZOFFSETFROM:+0500', 'TZOFFSETTO:+0400'],
    ...['RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10', 'END:STANDARD'],
    ...['BEGIN:DAYLIGHT', 'DTSTART:16010101T020000', 'TZOFFSETFROM:+0400', 'TZOFFSETTO:+0500'],
    ...['RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3', 'END:DAYLIGHT', 'END:VTIMEZONE'],
  ];
  const at = (tzid: string, date = '20260701', ...zone: string[]) =>
    busy(calendar(...zone, ...event(`DTSTART;TZID=${tzid}:${date}T120000`, 'DURATION:PT1H')));

  test('with a name of IANA or Windows are those of our rules, whatever the VTIMEZONE states', async () => {
    for (const name of [
      'America/New_York',
      '"/freeassociation.sourceforge.net/America/New_York"',
      'Eastern Standard Time',
    ])
      expect(await at(name, '20260701', ...vtimezone(name.replaceAll('"', '')))).toEqual([
        '2026-07-01 18:00 - 2026-07-01 19:00',
      ]);
    expect(await at('W. Europe Standard Time')).toEqual(['2026-07-01 12:00 - 2026-07-01 13:00']);
    expect(await at('Custom', '20260701', ...vtimezone('Custom', 'X-LIC-LOCATION:America/New_York'))).toEqual([
      '2026-07-01 18:00 - 2026-07-01 19:00',
    ]);
  });

  test('with another name have the offsets of their VTIMEZONE, and without one are floating', async () => {
    expect(await at('Custom', '20260701', ...vtimezone('Custom'))).toEqual(['2026-07-01 09:00 - 2026-07-01 10:00']);
    expect(await at('Custom', '20260115', ...vtimezone('Custom'))).toEqual(['2026-01-15 09:00 - 2026-01-15 10:00']);
    expect(await at('Custom', '20260329', ...vtimezone('Custom'))).toEqual(['2026-03-29 09:00 - 2026-03-29 10:00']);
    expect(await at('Nowhere')).toEqual(['2026-07-01 12:00 - 2026-07-01 13:00']);
  });
});

describe('repeats', () => {
  const starts = async (rule: string, start = '20260105T100000', more: string[] = [], reading = YEAR) =>
    (await ofEvent([`DTSTART;TZID=Europe/Berlin:${start}`, 'DURATION:PT1H', `RRULE:${rule}`, ...more], reading)).map(
      (text) => text.slice(0, 16),
    );

  test.each([
    ['FREQ=DAILY;COUNT=3', ['2026-01-05 10:00', '2026-01-06 10:00', '2026-01-07 10:00']],
    ['FREQ=DAILY;INTERVAL=10;UNTIL=20260125T090000Z', ['2026-01-05 10:00', '2026-01-15 10:00', '2026-01-25 10:00']],
    ['FREQ=DAILY;INTERVAL=10;UNTIL=20260125T085900Z', ['2026-01-05 10:00', '2026-01-15 10:00']],
    ['FREQ=DAILY;INTERVAL=10;UNTIL=20260125', ['2026-01-05 10:00', '2026-01-15 10:00', '2026-01-25 10:00']],
    ['FREQ=WEEKLY;BYDAY=MO,WE;COUNT=3', ['2026-01-05 10:00', '2026-01-07 10:00', '2026-01-12 10:00']],
    [
      'FREQ=WEEKLY;INTERVAL=2;WKST=SU;BYDAY=SU,MO;COUNT=3',
      ['2026-01-05 10:00', '2026-01-18 10:00', '2026-01-19 10:00'],
    ],
    ['FREQ=MONTHLY;BYDAY=-1FR;COUNT=3', ['2026-01-05 10:00', '2026-01-30 10:00', '2026-02-27 10:00']],
    ['FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1;COUNT=2', ['2026-01-05 10:00', '2026-01-30 10:00']],
    ['FREQ=MONTHLY;BYMONTHDAY=31;COUNT=3', ['2026-01-05 10:00', '2026-01-31 10:00', '2026-03-31 10:00']],
    ['FREQ=YEARLY;BYMONTH=11;BYDAY=4TH', ['2026-01-05 10:00', '2026-11-26 10:00']],
    ['FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO', ['2026-01-05 10:00', '2026-05-11 10:00']],
    ['FREQ=YEARLY;BYYEARDAY=-1', ['2026-01-05 10:00', '2026-12-31 10:00']],
    ['FREQ=DAILY;COUNT=3;BYHOUR=10,14', ['2026-01-05 10:00', '2026-01-05 14:00', '2026-01-06 10:00']],
    ['FREQ=MONTHLY;BYMONTH=2;BYMONTHDAY=30', ['2026-01-05 10:00']],
  ])('%s', async (rule, expected) => {
    expect(await starts(rule)).toEqual(expected);
  });

  test('that began long ago continue, and count from their start', async () => {
    const week = range('2026-07-06', '2026-07-12');
    expect(await starts('FREQ=WEEKLY;INTERVAL=2', '20000110T100000', [], week)).toEqual(['2026-07-06 10:00']);
    expect(await starts('FREQ=WEEKLY;INTERVAL=2', '20000103T100000', [], week)).toEqual([]);
    expect(await starts('FREQ=DAILY;COUNT=9684', '20000101T100000', [], week)).toEqual(['2026-07-06 10:00']);
    expect(await starts('FREQ=DAILY;COUNT=9683', '20000101T100000', [], week)).toEqual([]);
    expect(await starts('FREQ=DAILY;COUNT=9700', '20000101T100000', [], week)).toHaveLength(7);
  });

  test('keep the wall clock of their zone across a change of the offset', async () => {
    const lines = ['DTSTART;TZID=Europe/Berlin:20260323T220000', 'DTEND;TZID=Europe/Berlin:20260324T060000'];
    expect(await ofEvent([...lines, 'RRULE:FREQ=WEEKLY;COUNT=2'])).toEqual([
      '2026-03-23 22:00 - 2026-03-24 06:00',
      '2026-03-30 22:00 - 2026-03-31 06:00',
    ]);
  });

  test('without EXDATE, with RDATE', async () => {
    const without = ['EXDATE:20260106T100000', 'EXDATE;VALUE=DATE:20260107', 'EXDATE:20260108T090000Z,20260109T100000'];
    expect(await starts('FREQ=DAILY;COUNT=5', '20260105T100000', without)).toEqual(['2026-01-05 10:00']);
    const zoned = ['DTSTART;TZID=Europe/Berlin:20260105T100000', 'DURATION:PT1H', 'RRULE:FREQ=DAILY;COUNT=2'];
    expect(await ofEvent([...zoned, 'EXDATE:20260105T090000Z'])).toEqual(['2026-01-06 10:00 - 2026-01-06 11:00']);
    expect(await ofEvent([...zoned, 'RDATE:20260201T090000Z', 'RDATE;VALUE=PERIOD:20260202T090000Z/PT3H'])).toEqual(
      expect.arrayContaining(['2026-02-01 10:00 - 2026-02-01 11:00', '2026-02-02 10:00 - 2026-02-02 13:00']),
    );
  });

  test('with RECURRENCE-ID are moved, canceled, or changed from then on', async () => {
    const series = event('DTSTART;TZID=Europe/Berlin:20260105T100000', 'DURATION:PT1H', 'RRULE:FREQ=DAILY;COUNT=4');
    const moved = event('RECURRENCE-ID:20260106T090000Z', 'DTSTART:20260106T150000Z', 'DURATION:PT2H');
    const canceled = event(
      'RECURRENCE-ID;TZID=Europe/Berlin:20260107T100000',
      'DTSTART:20260107T090000Z',
      'STATUS:CANCELLED',
    );
    expect(await busy(calendar(...series, ...moved, ...canceled))).toEqual([
      '2026-01-05 10:00 - 2026-01-05 11:00',
      '2026-01-06 16:00 - 2026-01-06 18:00',
      '2026-01-08 10:00 - 2026-01-08 11:00',
    ]);
    const following = event(
      'RECURRENCE-ID;RANGE=THISANDFUTURE:20260107T090000Z',
      'DTSTART:20260107T100000Z',
      'DURATION:PT30M',
    );
    expect(await busy(calendar(...series, ...following))).toEqual([
      '2026-01-05 10:00 - 2026-01-05 11:00',
      '2026-01-06 10:00 - 2026-01-06 11:00',
      '2026-01-07 11:00 - 2026-01-07 11:30',
      '2026-01-08 11:00 - 2026-01-08 11:30',
    ]);
    const newer = event('RECURRENCE-ID:20260106T090000Z', 'DTSTART:20260106T200000Z', 'DURATION:PT1H', 'SEQUENCE:2');
    expect(await busy(calendar(...newer, ...series, ...moved))).toContain('2026-01-06 21:00 - 2026-01-06 22:00');
  });
});

describe('free time', () => {
  const free = (...lines: string[]) => ofEvent(['DTSTART:20260701T080000Z', 'DURATION:PT1H', ...lines]);

  test.each([
    [['TRANSP:TRANSPARENT'], 0],
    [['TRANSP:OPAQUE'], 1],
    [['STATUS:CANCELLED'], 0],
    [['STATUS:TENTATIVE'], 1],
    [['X-MICROSOFT-CDO-BUSYSTATUS:FREE'], 0],
    [['X-MICROSOFT-CDO-BUSYSTATUS:OOF', 'TRANSP:TRANSPARENT'], 1],
    [['BEGIN:VALARM', 'TRIGGER:-PT15M', 'DURATION:PT5M', 'TRANSP:TRANSPARENT', 'END:VALARM'], 1],
  ])('%s', async (lines, count) => {
    expect(await free(...lines)).toHaveLength(count);
  });

  test('VFREEBUSY', async () => {
    const list = [
      'BEGIN:VFREEBUSY',
      'FREEBUSY;FBTYPE=FREE:20260701T080000Z/PT1H',
      'FREEBUSY:20260702T080000Z/20260702T090000Z',
    ];
    const more = ['FREEBUSY;FBTYPE=BUSY-TENTATIVE:20260703T080000Z/PT1H,20260704T080000Z/PT1H', 'END:VFREEBUSY'];
    expect(await busy(calendar(...list, ...more))).toEqual(
      ['02', '03', '04'].map((day) => `2026-07-${day} 10:00 - 2026-07-${day} 11:00`),
    );
  });
});

describe('titles', () => {
  test('are kept only if they are wanted, in one line, shortened, and once per time', async () => {
    const titled = (title: string, time: string) => [
      ...['BEGIN:VEVENT', `UID:${title}${time}`, `SUMMARY:${title}`, `DTSTART:20260701T${time}00`, 'DURATION:PT1H'],
      ...['DESCRIPTION:private', 'END:VEVENT'],
    ];
    const text = calendar(
      ...titled('', '0900'),
      ...titled('Dentist\\, upstairs', '0900'),
      ...titled(`\u202eA\\nB${'x'.repeat(300)}`, '0930'),
    );
    const read = async (titles: boolean) =>
      (await readCalendar(text, { ...YEAR, titles })).busy.map(({ title }) => title);
    expect(await read(true)).toEqual(['Dentist, upstairs', `A B${'x'.repeat(197)}`]);
    expect(await read(false)).toEqual([null]);
  });
});

describe('work that takes long', () => {
  /** Returns the most processor time, in milliseconds, that passed between two turns of other work. */
  async function longestTurn(text: string): Promise<number> {
    let longest = 0;
    let done = false;
    let last = process.cpuUsage();
    const tick = () => {
      const { user, system } = process.cpuUsage(last);
      longest = Math.max(longest, (user + system) / 1_000);
      last = process.cpuUsage();
      if (!done) setImmediate(tick);
    };
    setImmediate(tick);
    await problem(text);
    done = true;
    return longest;
  }

  const observance = ['BEGIN:STANDARD', 'DTSTART:16010101T000000', 'TZOFFSETFROM:+0100', 'TZOFFSETTO:+0100'];
  const hostile = 'RRULE:FREQ=DAILY;COUNT=1000000;BYMONTH=2;BYMONTHDAY=30;BYWEEKNO=1,2,3,4,5,6,7,8';
  const slot = Array.from({ length: 60 }, (_, minute) => minute).join();

  test.each([
    ['a rule', event('DTSTART:16010101T000000', 'DURATION:PT1M', hostile)],
    [
      'a year of minutes',
      event(
        'DTSTART:16010101T000000',
        `RRULE:FREQ=YEARLY;BYDAY=MO,TU,WE,TH,FR;BYHOUR=1,2,3;BYMINUTE=${slot};BYSETPOS=1`,
      ),
    ],
    [
      'a time zone',
      ['BEGIN:VTIMEZONE', 'TZID:x', ...observance, hostile, 'END:STANDARD', 'END:VTIMEZONE'].concat(
        event('DTSTART;TZID=x:20260101T100000', 'DURATION:PT1H'),
      ),
    ],
    [
      'a series with 3,000 events',
      Array.from({ length: 3_000 }, (_, index) =>
        event('DTSTART:20260101T100000', `RECURRENCE-ID:20260101T10${String(index % 60).padStart(2, '0')}00`).concat(
          event('DTSTART:20260101T100000', 'RRULE:FREQ=DAILY;COUNT=3'),
        ),
      ).flat(),
    ],
    [
      'few events with many invalid times',
      Array.from({ length: 26 }, (_, index) =>
        event(
          `UID:${index}`,
          'DTSTART:20260101T100000',
          ...Array.from({ length: 9 }, () => `EXDATE:${','.repeat(19_000)}`),
        ),
      ).flat(),
    ],
    [
      'few events with many dates',
      Array.from({ length: 26 }, (_, index) =>
        event(
          `UID:${index}`,
          'DTSTART:20260101T100000',
          ...Array.from({ length: 9 }, () => `RDATE:${'20270101T100000Z,'.repeat(1_100)}20270101T100000Z`),
        ),
      ).flat(),
    ],
    [
      'few events with many days that do not exist',
      Array.from({ length: 26 }, (_, index) =>
        event(
          `UID:${index}`,
          'DTSTART:20260101T100000',
          ...Array.from({ length: 9 }, () => `EXDATE;VALUE=DATE:${'20260231,'.repeat(2_100)}20260231`),
        ),
      ).flat(),
    ],
  ])('lets other requests run: %s', async (_, lines) => {
    expect(await longestTurn(calendar(...lines))).toBeLessThan(700);
  });
});

describe('a calendar', () => {
  test('is read if the rule of a time zone ends on a day that does not exist', async () => {
    const observance = ['DTSTART:20250101T000000', 'TZOFFSETFROM:+0100', 'TZOFFSETTO:+0100'];
    const lines = ['BEGIN:STANDARD', ...observance, 'RRULE:FREQ=YEARLY;UNTIL=20260230T000000Z', 'END:STANDARD'];
    const zone = ['BEGIN:VTIMEZONE', 'TZID:x', ...lines, 'END:VTIMEZONE'];
    expect(await problem(calendar(...zone, ...event('DTSTART;TZID=x:20260701T100000', 'DURATION:PT1H')))).toBeNull();
  });

  test('may be folded, have a byte order mark, and other components', async () => {
    const text = calendar(
      ...event('DTSTART:2026070', ' 1T080000Z', 'DURATION:PT1H', 'SUMMARY:Dentist', '\tand more'),
      'BEGIN:VTODO',
      'DTSTART:20260702T080000Z',
      'END:VTODO',
    );
    expect(await busy(`\uFEFF${text}`)).toEqual(['2026-07-01 10:00 - 2026-07-01 11:00']);
    expect(await busy(text.replaceAll('\r\n', '\n'))).toHaveLength(1);
  });

  test.each([
    ['an empty text', ''],
    ['a page', '<!DOCTYPE html><html></html>'],
    ['one that ends early', calendar(...event('DTSTART:20260701T080000Z')).slice(0, -20)],
    ['crossed components', 'BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nEND:VCALENDAR\r\nEND:VEVENT\r\n'],
    ['an event alone', event('DTSTART:20260701T080000Z').join('\r\n')],
  ])('is refused: %s', async (_, text) => {
    expect(await problem(text)).toBe('not_calendar');
  });

  test.each([
    ['50 MB', () => 'x'.repeat(50_000_000), 'too_large'],
    ['400,001 lines', () => calendar('X:1\n'.repeat(400_001)), 'too_complex'],
    ['300,000 levels', () => 'BEGIN:VCALENDAR\n'.repeat(300_000), 'too_complex'],
    ['a property of 1 MB', () => calendar(...event(`EXDATE:${'20260101T100000,'.repeat(60_000)}`)), 'too_complex'],
    [
      '5,001 times',
      () =>
        calendar(
          ...event(
            'DTSTART:20260101T000000',
            'DURATION:PT1M',
            'RRULE:FREQ=DAILY;BYHOUR=0,1,2,3,4,5,6,7,8,9,10,11,12,13',
          ),
        ),
      'too_many',
    ],
    [
      'a repeat within the hour',
      () => calendar(...event('DTSTART:16010101T000000', 'DURATION:PT1M', 'RRULE:FREQ=SECONDLY')),
      'unsupported_rule',
    ],
    [
      '10,000 rules',
      () =>
        calendar(
          ...Array.from({ length: 10_000 }, (_, index) =>
            event(
              `UID:${index}`,
              'DTSTART:16010101T000000',
              'DURATION:PT1M',
              'RRULE:FREQ=DAILY;COUNT=1000000;BYMONTH=2;BYMONTHDAY=30',
            ),
          ).flat(),
        ),
      'too_complex',
    ],
    [
      'rules of a time zone',
      () =>
        calendar(
          'BEGIN:VTIMEZONE',
          'TZID:x',
          ...Array(3_000)
            .fill([
              'BEGIN:STANDARD',
              'DTSTART:16010101T000000',
              'TZOFFSETFROM:+0100',
              'TZOFFSETTO:+0100',
              'RRULE:FREQ=DAILY;COUNT=1000000',
              'END:STANDARD',
            ])
            .flat(),
          'END:VTIMEZONE',
          ...event('DTSTART;TZID=x:20260101T100000', 'DURATION:PT1H'),
        ),
      'too_complex',
    ],
  ])(
    'is refused within seconds: %s',
    async (_, text, expected) => {
      expect(await problem(text())).toBe(expected);
    },
    20_000,
  );

  test('with a wrong rule lacks only this event', async () => {
    const wrong = event('UID:2', 'DTSTART:20260701T080000Z', 'RRULE:FREQ=SOMETIMES');
    const right = event('DTSTART:20260701T080000Z', 'DURATION:PT1H');
    expect(await readCalendar(calendar(...wrong, ...right), YEAR)).toMatchObject({ busy: [{}], unread: 1 });
  });
});
