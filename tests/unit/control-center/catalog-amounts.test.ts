import { describe, expect, test } from 'vitest';
import { formatMinutes, parseMinutes } from '@/app/t/[tenant]/catalog/_components/fields/duration';
import {
  amountText,
  changedPrice,
  formatPrice,
  inCurrency,
  parseAmount,
  parsePriceChange,
  priceQuestion,
  type Rounding,
} from '@/app/t/[tenant]/catalog/_components/prices/money';
import { CURRENCIES, decimalText } from '@/lib/contract/currencies';
import { formatsOf } from '@/lib/platform/text/formats';
import { LANGUAGES } from '@/lib/platform/text/languages';
import { translatorFor } from '@/tests/support/messages';

describe('amounts', () => {
  test('are written in major units with the decimals of their currency', () => {
    expect(decimalText(17_500, 'EUR')).toBe('175.00');
    expect(decimalText(5, 'EUR')).toBe('0.05');
    expect(decimalText(0, 'EUR')).toBe('0.00');
    expect(decimalText(17_500, 'JPY')).toBe('17500');
    expect(decimalText(17_500, 'KWD')).toBe('17.500');
    expect(formatPrice(123_456, 'EUR')).toBe('€1,234.56');
    expect(formatPrice(5_000, 'JPY')).toBe('¥5,000');
    expect(formatPrice(17_500, 'ABC')).toBe('17500 minor units of ABC');
    expect(decimalText(900_000, 'HUF')).toBe('9000.00');
    expect(decimalText(25_000_000, 'IQD')).toBe('25000.000');
  });

  test('are read back exactly', () => {
    for (const currency of ['EUR', 'JPY', 'KWD'])
      for (const amount of [0, 1, 9, 10, 29, 57, 58, 100, 115, 999, 1_000, 40_735, 2_147_483_647])
        expect(parseAmount(decimalText(amount, currency), currency)).toBe(amount);
  });

  const READ: [text: string, currency: string, amount: number | null][] = [
    ['175', 'EUR', 17_500],
    ['175.5', 'EUR', 17_550],
    ['175,50', 'EUR', 17_550],
    ['1,750', 'EUR', 175_000],
    ['1,234,567.89', 'EUR', 123_456_789],
    ['175.00 €', 'EUR', 17_500],
    ['€ 175', 'EUR', 17_500],
    ['EUR 175', 'EUR', 17_500],
    ['0.29', 'EUR', 29],
    ['5000', 'JPY', 5_000],
    ['1.250', 'KWD', 1_250],
    ['1,250', 'KWD', null],
    ['0,500', 'KWD', 500],
    ['0,500', 'EUR', null],
    ['1,250.500', 'KWD', 1_250_500],
    ['1,250,000', 'KWD', 1_250_000_000],
    ['9000', 'HUF', 900_000],
    ['HUF 9000', 'HUF', 900_000],
    ['A$ 5', 'AUD', 500],
    ['$5', 'AUD', 500],
    ['€5', 'AUD', null],
    ['150,000.00', 'IDR', 15_000_000],
    ['25000', 'IQD', 25_000_000],
    ['175.005', 'EUR', null],
    ['5.5', 'JPY', null],
    ['1.750,00', 'EUR', null],
    ['-5', 'EUR', null],
    ['', 'EUR', null],
    ['12 a', 'EUR', null],
    ['21474836.48', 'EUR', null],
  ];
  test.each(READ)('%j in %s is %j', (text, currency, amount) => {
    expect(parseAmount(text, currency)).toBe(amount);
  });

  test('keep their major units in another currency, or must be typed again', () => {
    expect(inCurrency({ amount: 17_500, currency: 'EUR' }, 'KWD')).toEqual({ amount: 175_000, currency: 'KWD' });
    expect(inCurrency({ amount: 17_500, currency: 'EUR' }, 'JPY')).toEqual({ amount: 175, currency: 'JPY' });
    expect(inCurrency({ amount: 17_550, currency: 'EUR' }, 'JPY')).toEqual({ amount: Number.NaN, currency: 'JPY' });
    expect(inCurrency({ amount: 3_000_000, currency: 'JPY' }, 'KWD')).toEqual({ amount: Number.NaN, currency: 'KWD' });
    expect(inCurrency({ amount: Number.NaN, currency: 'KWD' }, 'JPY')).toEqual({ amount: Number.NaN, currency: 'JPY' });
  });

  test('show the same number after any change of the currency', () => {
    for (const from of CURRENCIES)
      for (const to of CURRENCIES)
        for (const amount of [0, 1, 17_500, 2_147_483, 3_000_000, 2_147_483_647]) {
          const next = inCurrency({ amount, currency: from.code }, to.code).amount;
          const shown = Number(decimalText(amount, from.code));
          if (!Number.isNaN(next)) expect(Number(decimalText(next, to.code))).toBe(shown);
          // The form asks only if the other currency cannot have the amount.
          else expect(parseAmount(String(shown), to.code)).toBeNull();
        }
  });

  test('keep their minor units if the decimals are unknown', () => {
    expect(inCurrency({ amount: 17_500, currency: 'ABC' }, 'EUR')).toEqual({ amount: 17_500, currency: 'EUR' });
    expect(inCurrency({ amount: 17_500, currency: 'BGN' }, 'JPY')).toEqual({ amount: 175, currency: 'JPY' });
  });

  test('need confirmation at zero, above 50%, and in another currency', () => {
    const euros = (amount: number) => ({ amount, currency: 'EUR' });
    const t = translatorFor('en', 'catalog');
    type Asked = Parameters<typeof priceQuestion>[1];
    const question = (before: Asked, after: Asked) => priceQuestion(t, before, after, 'en');
    expect(question(null, euros(17_500))).toBeNull();
    expect(question(euros(10_000), null)).toBeNull();
    expect(question(euros(0), euros(0))).toBeNull();
    expect(question(euros(10_000), euros(15_000))).toBeNull();
    expect(question(euros(10_000), euros(5_000))).toBeNull();
    expect(question(euros(10_000), euros(15_001))).toBe(
      'The price will change from €100.00 to €150.01. This is a change of more than 50%.',
    );
    expect(question(euros(10_001), euros(5_000))).toContain('a change of more than 50%');
    expect(question(null, euros(0))).toContain('€0.00');
    expect(question(euros(0), euros(100))).toBe('The price will change from €0.00 to €1.00.');
    expect(question(euros(100), { amount: 100, currency: 'USD' })).toContain('The currency is different.');
  });
});

describe('amounts in other languages', () => {
  test('have the marks of the language, and their currency after the number', () => {
    const written = (amount: number, currency: string) =>
      LANGUAGES.map((language) => formatPrice(amount, currency, language).replaceAll('\u00a0', '_'));
    expect(written(123_456, 'EUR')).toEqual(['€1,234.56', '1.234,56_€', '1_234,56_€', '1234,56_€']);
    expect(written(1_234_567, 'CHF')).toEqual(['CHF_12,345.67', '12.345,67_CHF', '12_345,67_CHF', '12.345,67_CHF']);
    expect(written(5, 'JPY')).toEqual(['¥5', '5_¥', '5_¥', '5_¥']);
  });

  test('are read back exactly, with or without their separators', () => {
    for (const language of LANGUAGES)
      for (const currency of ['EUR', 'JPY', 'KWD'])
        for (const amount of [0, 1, 29, 999, 1_000, 40_735, 2_147_483_647]) {
          expect(parseAmount(amountText(amount, currency, language), currency, language)).toBe(amount);
          if (currency !== 'KWD')
            expect(parseAmount(formatPrice(amount, currency, language), currency, language)).toBe(amount);
        }
    expect([parseAmount('1.750', 'EUR', 'de'), parseAmount('175.50', 'EUR', 'de')]).toEqual([175_000, 17_550]);
    expect(parseAmount('1.250', 'KWD', 'de')).toBeNull();
    const change = parsePriceChange('amount', '-1.000,50', 'de');
    expect(change && changedPrice({ amount: 500_000, currency: 'EUR' }, change, 'none')?.amount).toBe(399_950);
  });
});

describe('durations', () => {
  const READ: [text: string, minutes: number | null][] = [
    ['75', 75],
    ['75 min', 75],
    ['1 h 15 min', 75],
    ['1h15', 75],
    ['1:15', 75],
    ['2 hours', 120],
    ['1 day', 1_440],
    ['2 days 3 h', 3_060],
    ['0', 0],
    ['', null],
    ['1.5 h', null],
    ['soon', null],
    ['-5', null],
    ['2 Tage 3 Std.', 3_060],
    ['1 Stunde 15 Minuten', 75],
    ['2 j 1 heure', 2_940],
    ['1 día 2 horas 5 minutos', 1_565],
  ];
  test.each(READ)('%j is %j minutes', (text, minutes) => {
    expect(parseMinutes(text)).toBe(minutes);
  });

  test('are read back as they are written', () => {
    for (const language of LANGUAGES)
      for (const minutes of [0, 1, 45, 60, 75, 1_440, 1_500, 2_880, 525_600])
        expect(parseMinutes(formatMinutes(minutes, formatsOf(language)))).toBe(minutes);
    expect(LANGUAGES.map((language) => formatMinutes(2_880, formatsOf(language)).replace('\u00a0', ' '))).toEqual([
      '2 days',
      '2 Tage',
      '2 jours',
      '2 días',
    ]);
    expect([75, 1_440, 2_880].map((minutes) => formatMinutes(minutes, formatsOf('en')))).toEqual([
      '1 h 15 min',
      '1 day',
      '2 days',
    ]);
  });
});

describe('changes of prices', () => {
  const euros = (amount: number) => ({ amount, currency: 'EUR' });
  const CHANGED: [by: 'percent' | 'amount', text: string, before: number, after: number | null][] = [
    ['percent', '5', 16_500, 17_325],
    ['percent', '+2.5%', 999, 1_024],
    ['percent', '-50 %', 15, 8],
    ['percent', '−100', 100, 0],
    ['percent', '1000', 2_147_483_647, null],
    ['percent', '33.33', 2_147_483, 2_863_239],
    ['amount', '10', 16_500, 17_500],
    ['amount', '-10.50', 16_500, 15_450],
    ['amount', '-10', 999, null],
    ['amount', '0.005', 999, null],
  ];
  test.each(CHANGED)('%s %j of %j is %j', (by, text, before, after) => {
    const change = parsePriceChange(by, text);
    const expected = after === null ? null : euros(after);
    expect(change && changedPrice(euros(before), change, 'none')).toEqual(expected);
  });

  const ROUNDED: [text: string, before: number, currency: string, rounding: Rounding, after: number][] = [
    ['5', 16_500, 'EUR', 'none', 17_325],
    ['5', 16_500, 'EUR', 'whole', 17_300],
    ['5', 16_500, 'EUR', '.50', 17_350],
    ['5', 16_500, 'EUR', '.90', 17_290],
    ['5', 16_500, 'EUR', '.95', 17_295],
    ['5', 16_500, 'EUR', '.99', 17_299],
    // Half up, once: 17.3249… stays below the middle of 17.00 and 17.50 only if it is not rounded first.
    ['0', 1_725, 'EUR', '.50', 1_750],
    ['0.04', 1_724, 'EUR', '.50', 1_700],
    ['0', 40, 'EUR', '.90', 90],
    ['-99', 1_000, 'EUR', 'whole', 0],
    ['-100', 1_000, 'EUR', '.90', 0],
    ['5', 0, 'EUR', '.99', 0],
    // The yen has no decimals, the dinar three.
    ['5', 3_333, 'JPY', '.90', 3_500],
    ['5', 3_333, 'JPY', 'whole', 3_500],
    ['5', 16_500, 'KWD', '.50', 17_500],
    ['5', 16_500, 'KWD', '.99', 16_990],
    ['1000', 195_225_785, 'EUR', 'none', 2_147_483_635],
  ];
  test.each(ROUNDED)('changed by %j %, %j %s rounded to %j is %j', (text, amount, currency, rounding, after) => {
    const change = parsePriceChange('percent', text);
    expect(change && changedPrice({ amount, currency }, change, rounding)).toEqual({ amount: after, currency });
    expect(
      change && changedPrice({ amount: 2_147_483_647, currency }, { by: 'percent', hundredths: 100 }, rounding),
    ).toBeNull();
  });

  test('are rejected if they are no number or out of range', () => {
    for (const text of ['', 'a', '-101', '1001', '1.005', '--5', '1e3'])
      expect(parsePriceChange('percent', text)).toBeNull();
    for (const text of ['', '-', 'a']) expect(parsePriceChange('amount', text)).toBeNull();
  });
});
