import { expect, test } from 'vitest';
import { browserLanguage } from '@/lib/platform/text/browser-language';
import { formatsOf } from '@/lib/platform/text/formats';
import { LANGUAGES } from '@/lib/platform/text/languages';

test.each([
  ['de-CH,de;q=0.9,en;q=0.8', 'de'],
  ['nl-NL,fr;q=0.7,en;q=0.9', 'en'],
  ['es-419', 'es'],
  ['FR', 'fr'],
  ['nl, *;q=0.1', 'en'],
  ['de;q=0', 'en'],
  ['', 'en'],
  [null, 'en'],
  ['\u0000,;;;=', 'en'],
  [`${'xx,'.repeat(50_000)}de`, 'en'],
])('the language of %j is %s', (header, language) => {
  expect(browserLanguage(header)).toBe(language);
});

const at = new Date('2026-11-29T14:05:00Z');
const clock = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;

test('each language has its formats, with the clock that the person chose', () => {
  const shown = LANGUAGES.map((language) => {
    const formats = formatsOf(language);
    return [formats.count(1_234_567), formats.percent(0.125, 1), formats.dateTime(clock, 'UTC').format(at)];
  });
  expect(shown).toEqual([
    ['1,234,567', '12.5%', '14:05'],
    ['1.234.567', '12,5\u00a0%', '14:05'],
    ['1\u00a0234\u00a0567', '12,5\u00a0%', '14:05'],
    ['1.234.567', '12,5\u00a0%', '14:05'],
  ]);
  expect(formatsOf('en', 'h12').dateTime(clock, 'UTC').format(at).replaceAll('\u00a0', ' ')).toBe('02:05 PM');
  expect(formatsOf('de').list(['a', 'b', 'c'])).toBe('a, b und c');
  expect(formatsOf('es').displayName('region', 'DE')).toBe('Alemania');
});
