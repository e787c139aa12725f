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
  ['pt-PT', null, 'pt-BR'],
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
  [undefined, 'pt_BR', 'pt-BR'],
  [undefined, 'fr_FR, zh_Hant_HK;q=0.5, en;q=0.1', 'zh-Hant'],
  [undefined, 'en_US', 'en'],
] as const)('locale %j with Accept-Language %j is %s', ([parameter, header, expected]) => {
  expect(resolveLocale(LANGUAGES, parameter, header)).toBe(expected);
  // The second call returns the cached result.
  expect(resolveLocale(LANGUAGES, parameter, header)).toBe(expected);
});

// The languages and results of public reports on language matching. The sources are CLDR's likely subtags, parent locales,
// and language matching data.
const OFFERED = {
  locales: ['en', 'zh-Hans', 'zh-Hant', 'nb', 'es', 'es-419', 'pt', 'fr', 'he', 'fil'],
  defaultLocale: 'en',
};

test.for([
  ['zh-TW', 'zh-Hant'],
  ['zh-HK', 'zh-Hant'],
  ['zh-MO', 'zh-Hant'],
  ['zh-Hant-TW', 'zh-Hant'],
  ['zh-CN', 'zh-Hans'],
  ['zh-SG', 'zh-Hans'],
  ['zh', 'zh-Hans'],
  ['no', 'nb'],
  ['nb-NO', 'nb'],
  ['es-MX', 'es-419'],
  ['es-AR', 'es-419'],
  ['es-ES', 'es'],
  ['es', 'es'],
  ['pt-PT', 'pt'],
  ['pt-AO', 'pt'],
  ['iw', 'he'],
  ['tl', 'fil'],
  ['fr-CA', 'fr'],
  ['ja', 'en'],
] as const)('the language of %s is %s, as parameter and as header', ([requested, expected]) => {
  expect(resolveLocale(OFFERED, requested, null)).toBe(expected);
  expect(resolveLocale(OFFERED, undefined, requested)).toBe(expected);
});

test('an offered language that the header prefers comes before a closer match', () => {
  expect(resolveLocale(OFFERED, undefined, 'en-US,en;q=0.9,zh-TW;q=0.8')).toBe('en');
  expect(resolveLocale(OFFERED, undefined, 'zh-TW,zh;q=0.9,en-US;q=0.8')).toBe('zh-Hant');
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
