import { expect, test } from 'vitest';
import { formatAgo } from '@/app/t/[tenant]/_components/time/ago';
import { formatterOf, LINE_TIME, SHORT_TIME, WHOLE_TIME } from '@/app/t/[tenant]/_components/time/moments';
import { ticksOf } from '@/app/t/[tenant]/_components/time/ticks';

const AT = new Date('2026-11-21T06:49:07Z');

test('all formats use the 24-hour clock', () => {
  const [short, line, whole] = [SHORT_TIME, LINE_TIME, WHOLE_TIME].map((options) =>
    new Intl.DateTimeFormat('en-US', { ...options, timeZone: 'UTC' }).format(AT),
  );
  expect(short).toMatch(/06:49$/);
  expect(line).toMatch(/06:49:07$/);
  expect(whole).toMatch(/2026.*06:49:07$/);
});

test('a formatter is created once for each format and time zone', () => {
  const first = formatterOf(SHORT_TIME, 'UTC');
  expect(formatterOf({ ...SHORT_TIME }, 'UTC')).toBe(first);
  expect([formatterOf(SHORT_TIME), formatterOf(LINE_TIME, 'UTC')]).not.toContain(first);
});

test.each([1, 3, 60, 3600, 86_400, 30 * 86_400])('the labels of a chart of %i seconds are unique', (seconds) => {
  const labels = ticksOf({ from: AT.getTime(), to: AT.getTime() + seconds * 1000 }).map(({ label }) => label);
  expect(new Set(labels).size).toBe(labels.length);
});

test('the time since a moment has one unit below an hour, and two from then on', () => {
  const since = (seconds: number) => formatAgo(seconds * 1000);
  expect([-3, 0, 9, 10, 59, 60, 3_599].map(since)).toEqual([
    'just now',
    'just now',
    'just now',
    '10 s ago',
    '59 s ago',
    '1 min ago',
    '59 min ago',
  ]);
  expect([3_600, 18_739, 86_399, 183_661].map(since)).toEqual([
    '1 h 0 min ago',
    '5 h 12 min ago',
    '23 h 59 min ago',
    '2 d 3 h ago',
  ]);
});
