import { expect, test } from 'vitest';
import { boundsOf } from '@/lib/control-center/webhooks/attempts';

const HOUR = 3_600_000;

/** Returns the start of each bar and its length in hours. */
function barsOf(now: string, period: '24h' | '7d', timeZone: string) {
  const bounds = boundsOf(new Date(now), period, timeZone);
  return {
    starts: bounds.map(({ from }) => from.toISOString()),
    hours: bounds.map(({ from, to }) => (to.getTime() - from.getTime()) / HOUR),
  };
}

test('hours are whole hours of the time zone, and the last one is in progress', () => {
  const { starts, hours } = barsOf('2026-11-22T21:14:59Z', '24h', 'Asia/Kathmandu');
  expect([starts.length, starts[0], starts.at(-1)]).toEqual([
    24,
    '2026-11-21T21:15:00.000Z',
    '2026-11-22T20:15:00.000Z',
  ]);
  expect(new Set(hours)).toEqual(new Set([1]));
});

test('days are local days, which daylight saving makes shorter or longer', () => {
  const march = barsOf('2026-03-31T12:00:00Z', '7d', 'Europe/Berlin');
  expect(march.starts.slice(0, 2)).toEqual(['2026-03-24T23:00:00.000Z', '2026-03-25T23:00:00.000Z']);
  expect(march.hours).toEqual([24, 24, 24, 24, 23, 24, 24]);
  expect(march.starts.at(-1)).toBe('2026-03-30T22:00:00.000Z');
  expect(barsOf('2026-10-26T00:30:00Z', '7d', 'Europe/Berlin').hours).toEqual([24, 24, 24, 24, 24, 25, 24]);
});
