import { expect, test } from 'vitest';
import { agoText } from '@/app/t/[tenant]/_components/time/ago';
import { LINE_TIME, SHORT_TIME, WHOLE_TIME } from '@/app/t/[tenant]/_components/time/moments';
import { ticksOf } from '@/app/t/[tenant]/_components/time/ticks';
import { formatsOf } from '@/lib/platform/text/formats';
import { translatorFor } from '@/tests/support/messages';

const FORMAT = formatsOf('en');

const AT = new Date('2026-11-21T06:49:07Z');

test('all formats use the clock of the reader', () => {
  const texts = (hourCycle: 'h23' | 'h12') =>
    [SHORT_TIME, LINE_TIME, WHOLE_TIME].map((options) =>
      formatsOf('en', hourCycle).dateTime(options, 'UTC').format(AT).replaceAll('\u00a0', ' '),
    );
  expect(texts('h23')).toEqual(['Nov 21, 06:49', 'Nov 21, 06:49:07', 'Nov 21, 2026, 06:49:07']);
  expect(texts('h12')).toEqual(['Nov 21, 06:49 AM', 'Nov 21, 06:49:07 AM', 'Nov 21, 2026, 06:49:07 AM']);
});

test.each([1, 3, 60, 3600, 86_400, 30 * 86_400])('the labels of a chart of %i seconds are unique', (seconds) => {
  const labels = ticksOf(FORMAT, { from: AT.getTime(), to: AT.getTime() + seconds * 1000 }).map(({ label }) => label);
  expect(new Set(labels).size).toBe(labels.length);
});

test('the time since a moment has one unit below an hour, and two from then on', () => {
  const since = (seconds: number) => agoText(translatorFor('en', 'common.time'), seconds * 1000);
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
