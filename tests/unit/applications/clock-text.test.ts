import { expect, test } from 'vitest';
import { durationText } from '@/app/t/[tenant]/applications/[id]/_components/clock-text';
import { translatorFor } from '@/tests/support/messages';

const PART = 'applications.clock.units';

test.each([
  [1, '1 second'],
  [90, '1 minute 30 seconds'],
  [3_600, '1 hour'],
  [86_400 + 61, '1 day'],
  [3 * 86_400 + 4 * 3_600 + 59, '3 days 4 hours'],
  [31_536_000, '365 days'],
])('%d seconds are %s', (seconds, text) => expect(durationText(translatorFor('en', PART), seconds)).toBe(text));

test.each([
  ['de', '1 Tag 2 Stunden'],
  ['fr', '1 jour 2 heures'],
  ['es', '1 día 2 horas'],
] as const)('in %s, 26 hours are %s', (language, text) =>
  expect(durationText(translatorFor(language, PART), 26 * 3_600)).toBe(text),
);
