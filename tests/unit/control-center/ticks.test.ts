import { expect, test } from 'vitest';
import { ticksOf } from '@/app/t/[tenant]/_components/time/ticks';
import { formatsOf } from '@/lib/platform/text/formats';

const HOUR = 3_600_000;

/** Returns an axis's ticks as local times, and asserts that they all lie on the axis. */
function localTicks(from: string, hours: number, timeZone: string): string[] {
  const axis = { from: Date.parse(from), to: Date.parse(from) + hours * HOUR };
  const format = new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  return ticksOf(formatsOf('en'), axis, timeZone).map(({ at }) => {
    expect(at).toBeGreaterThanOrEqual(axis.from);
    expect(at).toBeLessThanOrEqual(axis.to);
    return format.format(at).slice(5).replace(/:00$/, '');
  });
}

test.each([
  ['2026-11-22T21:14:00Z', 1, 'Europe/Berlin', ['22:20', '22:30', '22:40', '22:50', '23:00', '23:10']],
  ['2026-11-22T21:14:00Z', 6, 'Europe/Berlin', ['23:00', '00:00', '01:00', '02:00', '03:00', '04:00']],
  [
    '2026-11-22T21:14:00Z',
    24,
    'Asia/Kathmandu',
    ['03', '06', '09', '12', '15', '18', '21', '00'].map((h) => `${h}:00`),
  ],
  [
    '2026-11-22T21:14:40Z',
    1 / 60,
    'UTC',
    ['21:14:40', '21:14:50', '21:15', '21:15:10', '21:15:20', '21:15:30', '21:15:40'],
  ],
])('an axis from %s of %d hours in %s has ticks at round times', (from, hours, zone, times) => {
  expect(localTicks(from, hours, zone).map((tick) => tick.slice(6))).toEqual(times);
});

test('an axis of days has its ticks at local midnights, across both daylight-saving changes', () => {
  const october = ['10-22', '10-23', '10-24', '10-25', '10-26', '10-27', '10-28'];
  expect(localTicks('2026-10-21T13:30:00Z', 168, 'Europe/Berlin')).toEqual(october.map((day) => `${day} 00:00`));
  const march = ['03-27', '03-28', '03-29', '03-30', '03-31', '04-01', '04-02'];
  expect(localTicks('2026-03-26T13:30:00Z', 168, 'Europe/Berlin')).toEqual(march.map((day) => `${day} 00:00`));
  const weeks = ['10-05', '10-12', '10-19', '10-26', '11-02'];
  expect(localTicks('2026-10-04T13:30:00Z', 30 * 24, 'America/New_York')).toEqual(weeks.map((day) => `${day} 00:00`));
});

test('an axis of hours has its ticks at whole local hours, across both daylight-saving changes', () => {
  expect(localTicks('2026-03-28T18:20:00Z', 24, 'Europe/Berlin').map((tick) => tick.slice(6))).toEqual([
    '21:00',
    '00:00',
    '03:00',
    '06:00',
    '09:00',
    '12:00',
    '15:00',
    '18:00',
  ]);
  expect(localTicks('2026-03-29T00:20:00Z', 4, 'Europe/Berlin').map((tick) => tick.slice(6))).toEqual([
    '01:30',
    '03:00',
    '03:30',
    '04:00',
    '04:30',
    '05:00',
    '05:30',
    '06:00',
  ]);
  expect(localTicks('2026-10-24T23:20:00Z', 5, 'Europe/Berlin').map((tick) => tick.slice(6))).toEqual([
    '02:00',
    '02:00',
    '03:00',
    '04:00',
    '05:00',
  ]);
  // Lord Howe Island changes its clocks by half an hour.
  expect(localTicks('2026-04-04T12:20:00Z', 6, 'Australia/Lord_Howe').map((tick) => tick.slice(6))).toEqual([
    '00:00',
    '01:00',
    '02:00',
    '03:00',
    '04:00',
  ]);
});

test('a day whose midnight is skipped begins at its first hour', () => {
  expect(localTicks('2026-04-22T11:00:00Z', 72, 'Africa/Cairo')).toEqual([
    '04-23 00:00',
    '04-23 12:00',
    '04-24 01:00',
    '04-24 12:00',
    '04-25 00:00',
    '04-25 12:00',
  ]);
});

test('a tick at midnight has the date as its label', () => {
  const axis = { from: Date.parse('2026-11-22T18:00:00Z'), to: Date.parse('2026-11-23T06:00:00Z') };
  expect(ticksOf(formatsOf('en'), axis, 'UTC').map(({ label }) => label)).toEqual([
    '18:00',
    '20:00',
    '22:00',
    'Nov 23',
    '02:00',
    '04:00',
    '06:00',
  ]);
});
