import { expect, test } from 'vitest';
import { LINE_TIME, SHORT_TIME, WHOLE_TIME } from '@/app/(control-center)/_components/moments';
import { ticksOf } from '@/app/(control-center)/_components/ticks';

const AT = new Date('2026-11-21T06:49:07Z');

test('all formats use the 24-hour clock', () => {
  const [short, line, whole] = [SHORT_TIME, LINE_TIME, WHOLE_TIME].map((options) =>
    new Intl.DateTimeFormat('en-US', { ...options, timeZone: 'UTC' }).format(AT),
  );
  expect(short).toMatch(/06:49$/);
  expect(line).toMatch(/06:49:07$/);
  expect(whole).toMatch(/2026.*06:49:07$/);
});

test.each([1, 3, 60, 3600, 86_400, 30 * 86_400])('the labels of a chart of %i seconds are unique', (seconds) => {
  const labels = ticksOf({ from: AT.getTime(), to: AT.getTime() + seconds * 1000 }).map(({ label }) => label);
  expect(new Set(labels).size).toBe(labels.length);
});
