import { expect, test } from 'vitest';
import { currencyUses } from '@/scripts/check/currency-uses';

test('finds code that takes decimals, codes, or names of currencies from Intl', () => {
  for (const code of [
    "new Intl.NumberFormat('en', { style: 'currency', currency })",
    '(5).toLocaleString("en", { "style": "currency" })',
    "new Intl.DisplayNames(['en'], { type: 'currency' })",
    "Intl.supportedValuesOf('currency')",
    "{ currencyDisplay: 'code' }",
  ])
    expect(currencyUses(`const a = 1;\n${code}`)).toContain(2);
});

test('accepts other code', () => {
  for (const code of [
    "new Intl.NumberFormat('en', { style: 'percent' })",
    "Intl.supportedValuesOf('timeZone')",
    "{ path: 'price.currency' }",
    "{ type: 'currencies' }",
  ])
    expect(currencyUses(code)).toEqual([]);
});
