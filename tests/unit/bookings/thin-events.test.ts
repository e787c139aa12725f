import { describe, expect, test } from 'vitest';
import { boundedChanges, type ChangedDays, EVERYTHING } from '@/lib/booking/thin-events/told';
import { parseDay } from '@/lib/platform/time-zones';

const id = (prefix: string, number: number) => `${prefix}_${String(number).padStart(26, '0')}`;
const FIRST = parseDay('2026-09-14');
const days = (count: number) => Array.from({ length: count }, (_, i) => FIRST + i);

/** Of the given numbers of services and locations. */
const changed = (services: number, locations: number, of: ChangedDays['days']): ChangedDays[] =>
  Array.from({ length: services * locations }, (_, i) => ({
    serviceId: id('svc', i % services),
    locationId: id('loc', Math.floor(i / services)),
    days: of,
  }));

describe('what an event tells is as exact as fits', () => {
  test.each([
    ['dates', changed(1, 1, days(62)), 1, { service_id: id('svc', 0), date_to: '2026-11-14', dates: days(62) }],
    ['a range of more than 62 dates', changed(1, 1, days(63)), 1, { date_to: '2026-11-15', dates: null }],
    ['unsorted dates', changed(1, 1, [FIRST + 2, FIRST]), 1, { date_to: '2026-09-16', dates: [FIRST, FIRST + 2] }],
    ['ranges of many combinations', changed(10, 5, days(40)), 50, { service_id: id('svc', 0), dates: null }],
    ['a location with many services', changed(60, 2, days(2)), 2, { service_id: null, date_to: '2026-09-15' }],
    ['a whole range', changed(1, 1, { from: FIRST, to: FIRST + 400 }), 1, { date_to: '2027-10-19', dates: null }],
    ['every day of what is gone', changed(1, 1, null), 1, { date: null, date_to: null, dates: null }],
    ['everything', changed(1, 101, days(1)), 1, EVERYTHING[0]],
    ['nothing', [], 0, undefined],
  ])('%s', (_, of, length, first) => {
    const told = boundedChanges(of);
    expect([told.length, JSON.stringify(told).length < 15_001]).toEqual([length, true]);
    if (!first) return;
    const dates =
      'dates' in first && first.dates?.map((day) => new Date(Number(day) * 86_400_000).toISOString().slice(0, 10));
    expect(told[0]).toMatchObject({ ...first, ...(dates && { dates }) });
  });

  test('a location has the range of all its services, or every day', () => {
    const many = changed(150, 1, [FIRST + 5]);
    expect(boundedChanges([...many, { serviceId: id('svc', 900), locationId: id('loc', 0), days: [FIRST] }])).toEqual([
      { service_id: null, location_id: id('loc', 0), date: '2026-09-14', date_to: '2026-09-19', dates: null },
    ]);
    expect(boundedChanges([...many, ...changed(1, 1, null)])).toEqual([
      { service_id: null, location_id: id('loc', 0), date: null, date_to: null, dates: null },
    ]);
  });
});
