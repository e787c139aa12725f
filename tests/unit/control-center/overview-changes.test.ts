import { expect, test } from 'vitest';
import * as changes from '@/app/t/[tenant]/overview/_components/changes';
import type { Traffic } from '@/app/t/[tenant]/overview/_components/types';
import { formatsOf } from '@/lib/platform/text/formats';
import { LANGUAGES, type Language } from '@/lib/platform/text/languages';
import { translatorFor } from '@/tests/support/messages';

const textsIn = (language: Language) => [translatorFor(language, 'overview.changes'), formatsOf(language)] as const;
const requestChange = (traffic: Traffic, period: changes.Period, language: Language = 'en') =>
  changes.requestChange(...textsIn(language), traffic, period);
const errorChange = (traffic: Traffic, period: changes.Period, language: Language = 'en') =>
  changes.errorChange(...textsIn(language), traffic, period);

test.each([
  [1_204, 1_075, '+12% vs. previous 24 hours'],
  [88, 100, '−12% vs. previous 24 hours'],
  [0, 100, '−100% vs. previous 24 hours'],
  [100, 100, 'the same as in the previous 24 hours'],
  [10_010, 10_000, 'about the same as in the previous 24 hours'],
  [5_000, 20, 'up from 20 in the previous 24 hours'],
  [7, 0, 'up from 0 in the previous 24 hours'],
  [0, 0, 'the same as in the previous 24 hours'],
  [7, null, ''],
])('the change to %d from %s is stated as "%s"', (now, before, text) => {
  expect(changes.countChange(...textsIn('en'), { now, before }, '24h')).toBe(text);
});

const totals = (requests: number, errors: number, estimated = false) => ({
  requests,
  client_errors: errors - 1,
  server_errors: 1,
  estimated,
});

const NONE = { requests: 0, client_errors: 0, server_errors: 0, estimated: false };

/** Returns a summary with these totals of a period and of the preceding period. */
function traffic(now: ReturnType<typeof totals> | null, before: ReturnType<typeof totals> | null) {
  const histogram = { from: '', to: '', step_seconds: 60, bars: null };
  return { histogram, totals: now, durations: null, bookings_made: 0, previous: { totals: before, bookings_made: 0 } };
}

test('an estimate and an unknown total are stated as such', () => {
  expect(requestChange(traffic(totals(300, 1, true), totals(200, 1)), '7d')).toBe('about +50% vs. previous 7 days');
  expect(requestChange(traffic(null, totals(200, 1)), '7d')).toBe('');
  expect(requestChange(traffic(totals(200, 1), null), '7d')).toBe('');
});

test('the change of the share of errors is in percentage points', () => {
  expect(errorChange(traffic(totals(1_000, 51), totals(500, 15)), '24h')).toBe('+2.1 points vs. previous 24 hours');
  expect(errorChange(traffic(totals(500, 15), totals(1_000, 51)), '24h')).toBe('−2.1 points vs. previous 24 hours');
  expect(errorChange(traffic(totals(500, 15), totals(1_000, 30)), '24h')).toBe('the same as in the previous 24 hours');
  expect(errorChange(traffic(totals(500, 15), NONE), '24h')).toBe('no requests in the previous 24 hours');
  expect(errorChange(traffic(NONE, totals(500, 15)), '24h')).toBe('3% in the previous 24 hours');
  expect(errorChange(traffic(null, null), '24h')).toBe('');
});

test('every language states the change with its own decimals', () => {
  const stated = LANGUAGES.map((language) => [
    requestChange(traffic(totals(300, 1, true), totals(200, 1)), '7d', language),
    errorChange(traffic(totals(1_000, 51), totals(500, 15)), '24h', language),
  ]);
  expect(stated).toEqual([
    ['about +50% vs. previous 7 days', '+2.1 points vs. previous 24 hours'],
    ['etwa +50\u00a0% gegenüber den 7 Tagen zuvor', '+2,1 Prozentpunkte gegenüber den 24 Stunden zuvor'],
    ['environ +50\u00a0% par rapport aux 7 jours précédents', '+2,1 points par rapport aux 24 heures précédentes'],
    ['aprox. +50\u00a0% respecto a los 7 días anteriores', '+2,1 puntos respecto a las 24 horas anteriores'],
  ]);
});
