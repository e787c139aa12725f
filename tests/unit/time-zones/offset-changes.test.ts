import { expect, test } from 'vitest';
import { offsetChanges, onlyInstant, zoneOf } from '@/lib/platform/time-zones';

const minute = (at: string) => Date.parse(at) / 60_000;

test.each([
  [
    'Europe/Berlin',
    '2026-03-01T00:00Z',
    '2026-11-01T00:00Z',
    [
      ['2026-03-01T00:00Z', 60, 60],
      ['2026-03-29T01:00Z', 60, 120],
      ['2026-10-25T01:00Z', 120, 60],
    ],
  ],
  ['Asia/Kolkata', '2026-01-01T00:00Z', '2031-01-01T00:00Z', [['2026-01-01T00:00Z', 330, 330]]],
  // After the table, whose last year is 2037.
  [
    'America/New_York',
    '2041-01-01T00:00Z',
    '2041-12-31T00:00Z',
    [
      ['2041-01-01T00:00Z', -300, -300],
      ['2041-03-10T07:00Z', -300, -240],
      ['2041-11-03T06:00Z', -240, -300],
    ],
  ],
] as const)('offsetChanges of %s from %s to %s', (zone, from, to, expected) => {
  const changes = offsetChanges(zoneOf(zone), minute(from), minute(to));
  expect(changes).toEqual(expected.map(([at, before, offset]) => ({ at: minute(at), before, offset })));
});

test.each([
  ['2026-10-25', '01:59', '2026-10-24T23:59Z'],
  ['2026-10-25', '02:00', null],
  ['2026-10-25', '02:59', null],
  ['2026-10-25', '03:00', '2026-10-25T02:00Z'],
  ['2026-03-29', '02:30', null],
  ['2026-03-29', '03:00', '2026-03-29T01:00Z'],
  ['2026-07-01', '12:00', '2026-07-01T10:00Z'],
])('onlyInstant of %s %s in Berlin', (date, time, at) => {
  expect(onlyInstant(zoneOf('Europe/Berlin'), date, time)).toBe(at && minute(at));
});
