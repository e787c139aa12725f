import fc from 'fast-check';
import { expect, test } from 'vitest';
import { resolveLocale } from '@/lib/http/partner-api/locale';

const LANGUAGES = { locales: ['en', 'de', 'zh-Hant', 'pt-BR'], defaultLocale: 'de' };

test.for([
  [undefined, null, 'de'],
  [undefined, '', 'de'],
  ['en', null, 'en'],
  ['en', 'zh-Hant', 'en'],
  ['EN-gb', null, 'en'],
  ['en-x-private', null, 'en'],
  ['en-u-ca-buddhist', null, 'en'],
  ['zh-Hant-HK', null, 'zh-Hant'],
  ['zh', null, 'de'],
  ['zh-Hans', null, 'de'],
  ['pt-PT', null, 'de'],
  ['fr', 'en', 'de'],
  [undefined, 'fr', 'de'],
  [undefined, 'fr, en', 'en'],
  [undefined, 'fr;q=1, pt-br;q=0.3, en;q=0.2', 'pt-BR'],
  [undefined, 'en;q=0, zh-Hant;q=0.001', 'zh-Hant'],
  [undefined, 'en;q=0', 'de'],
  [undefined, '*, en;q=0.5', 'en'],
  [undefined, 'en;q=nonsense, zh-hant', 'zh-Hant'],
  [undefined, ';;;,,,===', 'de'],
  [undefined, 'i-klingon, en', 'en'],
  [undefined, 'pt_BR', 'de'],
  [undefined, 'fr_FR, zh_Hant_HK;q=0.5, en;q=0.1', 'en'],
] as const)('locale %j with Accept-Language %j is %s', ([parameter, header, expected]) => {
  expect(resolveLocale(LANGUAGES, parameter, header)).toBe(expected);
  // The second call returns the cached result.
  expect(resolveLocale(LANGUAGES, parameter, header)).toBe(expected);
});

test('the cache distinguishes tenants with different languages', () => {
  expect(resolveLocale({ locales: ['en', 'fr'], defaultLocale: 'en' }, 'fr', null)).toBe('fr');
  expect(resolveLocale({ locales: ['en'], defaultLocale: 'en' }, 'fr', null)).toBe('en');
  expect(resolveLocale({ locales: ['en', 'de'], defaultLocale: 'de' }, 'fr', null)).toBe('de');
  expect(resolveLocale({ locales: ['en', 'de'], defaultLocale: 'en' }, 'fr', null)).toBe('en');
});

test('the cache distinguishes a parameter and a header with the same text', () => {
  const languages = { locales: ['en', 'de'], defaultLocale: 'en' };
  expect(resolveLocale(languages, undefined, 'de;q=0')).toBe('en');
  expect(resolveLocale(languages, 'de', null)).toBe('de');
  expect(resolveLocale(languages, undefined, 'de')).toBe('de');
});

test('any header resolves to a language of the tenant', () => {
  const piece = fc.oneof(fc.constantFrom('en', 'de-CH', '*', 'x', 'q=1', ';q=0.5', ',', ' '), fc.string());
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
      expect(LANGUAGES.locales).toContain(resolveLocale(LANGUAGES, undefined, pieces.join('')));
    }),
    { numRuns: 2000 },
  );
});
