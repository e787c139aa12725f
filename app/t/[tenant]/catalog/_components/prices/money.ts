import type { Translator } from '@/app/_components/language';
import { decimalText, minorUnit } from '@/lib/contract/currencies';
import type { Language } from '@/lib/platform/text/languages';

// Amounts are integers in minor units. `decimalText`, `formatPrice`, and `parseAmount` convert them by moving the
// decimal point in their text, because multiplication or division could round them. `Intl` formats no price: servers and
// browsers with different versions of CLDR would write different decimals and symbols, so React could not hydrate a page.
// `npm run check` refuses the currencies of `Intl`.

/** The symbols that text uses. All other currencies are written with their code. */
const SYMBOLS: Record<string, string> = {
  AUD: 'A$',
  BRL: 'R$',
  CAD: 'CA$',
  CNY: 'CN¥',
  EUR: '€',
  GBP: '£',
  HKD: 'HK$',
  ILS: '₪',
  INR: '₹',
  JPY: '¥',
  KRW: '₩',
  MXN: 'MX$',
  NZD: 'NZ$',
  PHP: '₱',
  TWD: 'NT$',
  USD: '$',
  VND: '₫',
};

/**
 * How a language writes amounts. `grouped` is the number of digits from which thousands are separated. `unknown` stands
 * before a code whose minor unit is unknown.
 */
type Writing = { decimal: string; group: string; grouped: number; isCurrencyFirst: boolean; unknown: string };

const WRITINGS: Record<Language, Writing> = {
  en: { decimal: '.', group: ',', grouped: 4, isCurrencyFirst: true, unknown: 'minor units of' },
  de: { decimal: ',', group: '.', grouped: 4, isCurrencyFirst: false, unknown: 'kleinste Einheiten von' },
  fr: { decimal: ',', group: '\u00a0', grouped: 4, isCurrencyFirst: false, unknown: 'unités minimales de' },
  es: { decimal: ',', group: '.', grouped: 5, isCurrencyFirst: false, unknown: 'unidades mínimas de' },
};

/**
 * Formats an amount in minor units of a currency, together with the currency. If ISO 4217 does not have the currency,
 * the position of the decimal point is unknown, so the text states the minor units.
 */
export function formatPrice(amount: number, currency: string, language: Language = 'en'): string {
  const { decimal, group, grouped, isCurrencyFirst, unknown } = WRITINGS[language];
  if (minorUnit(currency) === null) return `${amount} ${unknown} ${currency}`;
  const [whole = '', fraction] = decimalText(amount, currency).split('.');
  const groups = [];
  for (let end = whole.length; end > 0; end -= 3) groups.unshift(whole.slice(Math.max(0, end - 3), end));
  const major = whole.length < grouped ? whole : groups.join(group);
  const number = fraction === undefined ? major : `${major}${decimal}${fraction}`;
  const symbol = SYMBOLS[currency];
  if (!isCurrencyFirst) return `${number}\u00a0${symbol ?? currency}`;
  return symbol === undefined ? `${currency}\u00a0${number}` : `${symbol}${number}`;
}

/** Formats an amount in minor units of a currency without separators of thousands, as a field shows it. */
export function amountText(amount: number, currency: string, language: Language): string {
  return decimalText(amount, currency).replace('.', WRITINGS[language].decimal);
}

function inEnglish(text: string, language: Language): string {
  if (WRITINGS[language].decimal === '.') return text;
  return text.replaceAll(/[.,]/g, (mark) => (mark === '.' ? ',' : '.'));
}

/** Returns the symbol of a currency, such as `€`; the code if the currency has no symbol. */
export function currencySign(currency: string): string {
  return SYMBOLS[currency] ?? currency;
}

/** The greatest amount that the server accepts, in minor units. */
const MAX_AMOUNT = 2_147_483_647;

/**
 * Parses an amount in major units, such as `175`, `1,750.00`, or `175,50`. A comma before exactly three digits
 * separates thousands. Any other comma is a decimal point. Returns the amount in minor units; null if the text is not
 * an amount of the currency, or if a comma could be either, as in `1,750` with three decimals. In a language with a
 * decimal comma, the same applies to points.
 */
export function parseAmount(text: string, currency: string, language: Language = 'en'): number | null {
  const digits = minorUnit(currency) ?? 0;
  const sign = currencySign(currency);
  // The last character of a sign such as `A$` is also accepted alone.
  const plain = inEnglish(text, language)
    .replace(sign, '')
    .replace(currency, '')
    .replace(/[$¥]/.test(sign) ? sign.slice(-1) : '', '')
    .replace(/\s/g, '');
  if (digits === 3 && /^[1-9]\d{0,2},\d{3}$/.test(plain)) return null;
  const ungrouped = /^[1-9]\d{0,2}(,\d{3})+(\.\d*)?$/.test(plain) ? plain.replaceAll(',', '') : plain.replace(',', '.');
  const [, whole = '', fraction = ''] = /^(\d{1,10})(?:\.(\d*))?$/.exec(ungrouped) ?? [];
  if (whole === '' || fraction.length > digits) return null;
  const amount = Number(whole + fraction.padEnd(digits, '0'));
  return amount <= MAX_AMOUNT ? amount : null;
}

type Price = { amount: number; currency: string };

/**
 * Replaces the currency of a price, without converting the amount: 12.50 EUR becomes 12.50 USD. The amount becomes NaN,
 * so that the form asks for it, if the new currency has no such amount: it has fewer decimals, as for 12.50 JPY, or the
 * amount is too large. Keeps the minor units if the decimals of a currency are unknown.
 */
export function inCurrency({ amount, currency: from }: Price, currency: string): Price {
  const [digits, fromDigits] = [minorUnit(currency), minorUnit(from)];
  const shift = digits === null || fromDigits === null ? 0 : digits - fromDigits;
  const unit = 10 ** Math.abs(shift);
  const next = shift >= 0 ? amount * unit : amount / unit;
  return { amount: Number.isInteger(next) && next <= MAX_AMOUNT ? next : Number.NaN, currency };
}

/** Asks about a price that becomes zero, changes by more than half, or changes its currency. Otherwise null. */
export function priceQuestion(
  t: Translator<'catalog'>,
  before: Price | null,
  after: Price | null,
  language: Language,
): string | null {
  if (!after || (before?.amount === after.amount && before.currency === after.currency)) return null;
  const next = formatPrice(after.amount, after.currency, language);
  if (after.amount === 0) return t('priceQuestion.free', { after: next });
  if (!before) return null;
  const change = { before: formatPrice(before.amount, before.currency, language), after: next };
  if (before.currency !== after.currency) return t('priceQuestion.currency', change);
  if (Math.abs(after.amount - before.amount) * 2 <= before.amount) return null;
  return t(before.amount === 0 ? 'priceQuestion.change' : 'priceQuestion.large', change);
}

/** A change that applies to several prices. `hundredths: 250` means 2.5%. `text` is an amount as English writes it, such as `10.00`. */
export type PriceChange = { by: 'percent'; hundredths: number } | { by: 'amount'; sign: 1 | -1; text: string };

/**
 * The greatest raise, in hundredths of a percent. With this limit, the product in `byPercent` is a safe integer for
 * every valid amount, so it is exact.
 */
const MAX_RAISE = 100_000;

/**
 * Parses a price change, such as `5`, `-2.5%`, or `+10.00`. Returns null if the text is not a price change. Does not
 * check the number of decimals of an amount, because the valid number depends on the currency. `changedPrice` checks
 * the number of decimals for each price.
 */
export function parsePriceChange(by: PriceChange['by'], text: string, language: Language = 'en'): PriceChange | null {
  const [, sign = '', rest = ''] = /^([+\-−]?)(.+)$/.exec(text.trim()) ?? [];
  const isLess = sign === '-' || sign === '−';
  if (by === 'amount') return /\d/.test(rest) ? { by, sign: isLess ? -1 : 1, text: inEnglish(rest, language) } : null;
  const [, whole = '', fraction = ''] = /^(\d{1,4})(?:[.,](\d{1,2}))?\s*%?$/.exec(rest.trim()) ?? [];
  if (whole === '') return null;
  const hundredths = Number(whole) * 100 + Number(fraction.padEnd(2, '0'));
  if (hundredths > (isLess ? 10_000 : MAX_RAISE)) return null;
  return { by, hundredths: isLess ? -hundredths : hundredths };
}

/** To which prices a change rounds: to minor units, whole amounts, multiples of .50, or amounts with this ending. */
export const ROUNDINGS = ['none', 'whole', '.50', '.90', '.95', '.99'] as const;

export type Rounding = (typeof ROUNDINGS)[number];

/** The prices of a rounding are `offset` and every `step` after it, in hundredths of the major unit. */
const GRIDS: Record<Exclude<Rounding, 'none'>, { step: number; offset: number }> = {
  whole: { step: 100, offset: 0 },
  '.50': { step: 50, offset: 0 },
  '.90': { step: 100, offset: 90 },
  '.95': { step: 100, offset: 95 },
  '.99': { step: 100, offset: 99 },
};

const EVERY_UNIT = { step: 1, offset: 0 };

/** Returns the same in minor units; null if the currency has not enough decimals, as for .90 and the yen. */
function gridOf(rounding: Rounding, currency: string): { step: number; offset: number } | null {
  if (rounding === 'none') return EVERY_UNIT;
  const digits = minorUnit(currency);
  if (digits === null) return null;
  const { step, offset } = GRIDS[rounding];
  const [unit, hundred] = [10 ** digits, 100];
  if ((step * unit) % hundred !== 0 || (offset * unit) % hundred !== 0) return null;
  return { step: (step * unit) / hundred, offset: (offset * unit) / hundred };
}

/** Returns whether the prices of a currency can be rounded so. */
export function hasRounding(rounding: Rounding, currency: string): boolean {
  return gridOf(rounding, currency) !== null;
}

/** `byPercent` returns ten-thousandths of minor units, so that a price is rounded once. */
const SCALE = 10_000;

/**
 * Returns the price after a change, rounded to the nearest price of the rounding, half up; null if the result would not be a
 * valid price. A currency without such prices is rounded to minor units. Free stays free.
 */
export function changedPrice({ amount, currency }: Price, change: PriceChange, rounding: Rounding): Price | null {
  const exact = change.by === 'percent' ? byPercent(amount, change.hundredths) : byAmount(amount, currency, change);
  if (exact === null || exact < 0 || exact > MAX_AMOUNT * SCALE) return null;
  const next = exact === 0 ? 0 : nearest(exact, gridOf(rounding, currency) ?? EVERY_UNIT);
  return next > MAX_AMOUNT ? null : { amount: next, currency };
}

function byPercent(amount: number, hundredths: number): number {
  return amount * (10_000 + hundredths);
}

function byAmount(amount: number, currency: string, { sign, text }: { sign: 1 | -1; text: string }): number | null {
  const difference = parseAmount(text, currency);
  return difference === null ? null : (amount + sign * difference) * SCALE;
}

/** All values are integers below 2^53, so this is exact. Not below the first price of the grid. */
function nearest(exact: number, { step, offset }: { step: number; offset: number }): number {
  const size = step * SCALE;
  const above = Math.max(0, exact - offset * SCALE + size / 2);
  return ((above - (above % size)) / size) * step + offset;
}
