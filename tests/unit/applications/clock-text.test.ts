import { expect, test } from 'vitest';
import { durationText } from '@/app/t/[tenant]/applications/[id]/_components/clock-text';

test.each([
  [1, '1 second'],
  [90, '1 minute 30 seconds'],
  [3_600, '1 hour'],
  [86_400 + 61, '1 day'],
  [3 * 86_400 + 4 * 3_600 + 59, '3 days 4 hours'],
  [31_536_000, '365 days'],
])('%d seconds are %s', (seconds, text) => expect(durationText(seconds)).toBe(text));
