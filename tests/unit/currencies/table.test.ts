import { readFileSync } from 'node:fs';
import * as published from 'dinero.js/currencies';
import { expect, test } from 'vitest';
import { sentenceOf } from '@/app/t/[tenant]/audit/_components/sentence';
import { changedPrice, formatPrice, parsePriceChange } from '@/app/t/[tenant]/catalog/_components/prices/money';
import { CURRENCIES, isCurrency, minorUnit } from '@/lib/contract/currencies';
import { LANGUAGES } from '@/lib/platform/text/languages';
import { auditTexts } from '@/tests/support/audit-texts';
import { messagesOf } from '@/tests/support/messages';

type Published = { code: string; base: number | readonly number[]; exponent: number };

const PUBLISHED = new Map(Object.values<Published>(published).map((currency) => [currency.code, currency]));

/** The codes of the package in which no price can be set, with the reason. */
const REFUSED: Record<string, string> = {
  BGN: 'withdrawn on 2026-01-01 (Amendment 180), after the data of the package',
  BOV: 'funds code',
  CHE: 'funds code',
  CHW: 'funds code',
  CLF: 'unit of account',
  COU: 'unit of account',
  MXV: 'unit of account',
  USN: 'funds code',
  UYI: 'unit of account',
  UYW: 'unit of account',
  XAD: 'unit of account of the Arab Monetary Fund (Amendment 179)',
};

/** The package counts the real subunits of these currencies, which are fifths. List One states two decimals. */
const FIFTHS = ['MGA', 'MRU'];

test('has the codes and decimals of the package that follows ISO 4217, except for the stated differences', () => {
  const expected = [...PUBLISHED.keys()].filter((code) => !(code in REFUSED)).sort();
  expect(CURRENCIES.map(({ code }) => code)).toEqual(expected);
  for (const { code, digits } of CURRENCIES) {
    const { base, exponent } = PUBLISHED.get(code) ?? {};
    if (FIFTHS.includes(code)) expect([code, base, exponent, digits]).toEqual([code, 5, 1, 2]);
    else expect([code, base, digits]).toEqual([code, 10, exponent]);
  }
  for (const code of Object.keys(REFUSED))
    expect([code, isCurrency(code), minorUnit(code)]).toEqual([code, false, PUBLISHED.get(code)?.exponent]);
});

// List One of the ISO 4217 maintenance agency. Every currency that is not listed has two decimals.
const DECIMALS: Record<string, string> = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF',
  2: 'AFN ALL COP EUR HUF IDR IRR KPW LAK LBP MGA MMK MRU PKR RSD SLE SOS SYP VED VES XCG YER ZWG',
  3: 'BHD IQD JOD KWD LYD OMR TND',
};

test('has the decimals of List One, also where CLDR states how cash is used', () => {
  for (const [digits, codes] of Object.entries(DECIMALS))
    for (const code of codes.split(' ')) expect([code, minorUnit(code)]).toEqual([code, Number(digits)]);
  const others = CURRENCIES.filter(({ digits }) => digits !== 2).map(({ code }) => code);
  expect(others).toEqual(`${DECIMALS[0]} ${DECIMALS[3]}`.split(' ').sort());
  expect([minorUnit('CLF'), minorUnit('UYW'), minorUnit('UYI')]).toEqual([4, 4, 0]);
});

test.for(
  'ABC ZZZ DEM XXX XTS XAU XAG XDR XSU XUA XBA CHE CHW CLF UYI UYW BGN HRK ANG ZWL SLL CUC eur EURO € '.split(' '),
)('%j is not a currency for prices', (code) => {
  expect(isCurrency(code)).toBe(false);
});

test('shows stored prices in codes that are no longer accepted', () => {
  expect(formatPrice(1_234_56, 'BGN')).toContain('1,234.56');
  expect(formatPrice(12_345, 'CLF')).toContain('1.2345');
  expect(formatPrice(1_234_56, 'ABC')).toBe('123456 minor units of ABC');
});

test('shows each amount with the decimals of its currency', () => {
  for (const { code, digits } of CURRENCIES) {
    const amount = 1_234_567;
    const decimal = { 0: '1,234,567', 2: '12,345.67', 3: '1,234.567' }[digits];
    expect([code, /\d.*/.exec(formatPrice(amount, code))?.[0]]).toEqual([code, decimal]);
  }
});

test('adds a typed amount in the decimals of each currency, and the audit log states it', () => {
  const change = parsePriceChange('amount', '7');
  const sentences = CURRENCIES.map(({ code, digits }) => {
    const before = { amount: 1_234_567, currency: code };
    const after = change && changedPrice(before, change, 'none');
    expect([code, after?.amount]).toEqual([code, 1_234_567 + 7 * 10 ** digits]);
    const object = { object_kind: 'service', object_id: 'svc_1', object_name: code };
    return sentenceOf(auditTexts('en'), {
      ...object,
      action: 'service.updated',
      before: { price: before },
      after: { price: after },
    });
  });
  const numbers = sentences.map((sentence) => sentence.match(/\d[\d.,]*\d/g));
  const raised: Record<number, string[]> = {
    0: ['1,234,567', '1,234,574'],
    2: ['12,345.67', '12,352.67'],
    3: ['1,234.567', '1,241.567'],
  };
  expect(numbers).toEqual(CURRENCIES.map(({ digits }) => raised[digits]));
});

test('has a name for every currency in each language, in English that of List One', () => {
  const english = Object.fromEntries(CURRENCIES.map(({ code, name }) => [code, name]));
  expect(messagesOf('en').currencies.names).toEqual(english);
  for (const language of LANGUAGES)
    expect(Object.keys(messagesOf(language).currencies.names)).toEqual(Object.keys(english));
});

test('the guide for partners lists every currency with its decimals', () => {
  const guide = readFileSync('docs/partner/guides/prices.md', 'utf8');
  for (const digits of [0, 2, 3]) {
    const codes = CURRENCIES.filter((currency) => currency.digits === digits).map(({ code }) => code);
    expect(guide).toContain(`| ${digits} | ${codes.join(' ')} |`);
    if (digits !== 2) expect(guide).toContain(`'${codes.join(' ')}'`);
  }
});
