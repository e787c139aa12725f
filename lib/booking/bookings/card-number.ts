/** `min` and `max` are lengths. */
type Issuer = { start: RegExp; min: number; max: number };

/** Contract B7. Not 13 digits, because Visa no longer issues them, and airline tickets and EAN-13 codes have them. */
const ISSUERS: readonly Issuer[] = [
  { start: /^4/, min: 16, max: 16 }, // Visa
  { start: /^4/, min: 19, max: 19 }, // Visa
  { start: /^(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, min: 16, max: 16 }, // Mastercard
  { start: /^3[47]/, min: 15, max: 15 }, // American Express
  { start: /^(?:6011|64[4-9]|65)/, min: 16, max: 19 }, // Discover
  { start: /^35(?:2[89]|[3-8])/, min: 16, max: 19 }, // JCB
  { start: /^(?:30[0-5]|3095|36|38|39)/, min: 14, max: 19 }, // Diners Club
  { start: /^62/, min: 16, max: 19 }, // UnionPay
  { start: /^(?:50|5[6-8]|6304|67)/, min: 16, max: 19 }, // Maestro
];

/** Developers send these to test that card numbers are refused. */
const TEST_NUMBERS = new Set(['4222222222222', '4911830000000']);

// Digits are not a card number if a letter or another digit is next to them, or is separated from them by only a dash
// or an underscore. The digits in a UUID are therefore not card numbers.
const BEFORE = String.raw`(?<![\p{L}\p{N}])(?<![\p{L}\p{N}][\p{Pd}_])`;
const AFTER = String.raw`(?![\p{L}\p{N}]|[\p{Pd}_][\p{L}\p{N}])`;
const GAP = String.raw`[^\p{L}\p{N}]{1,2}`;

/** Without separators, or in the groups that are printed on cards. */
const GROUPS = [
  String.raw`\d{13,19}`,
  String.raw`\d{4}(?:${GAP}\d{4}){3}`,
  String.raw`\d{4}(?:${GAP}\d{4}){3}${GAP}\d{1,3}`,
  String.raw`\d{4}${GAP}\d{6}${GAP}\d{4,5}`,
];

// A lookahead also finds overlapping matches, such as a card number after an unrelated group of four digits.
const FORMATS = GROUPS.map((group) => new RegExp(`${BEFORE}(?=(${group})${AFTER})`, 'gu'));

/** Returns whether a string contains a standalone payment card number (contract B7). */
export function holdsCardNumber(text: string): boolean {
  return FORMATS.some((format) =>
    [...text.matchAll(format)].some(([, found = '']) => isCardNumber(found.replaceAll(/\D/g, ''))),
  );
}

function isCardNumber(digits: string): boolean {
  if (TEST_NUMBERS.has(digits)) return true;
  const { length } = digits;
  return (
    ISSUERS.some(({ start, min, max }) => length >= min && length <= max && start.test(digits)) && isLuhnValid(digits)
  );
}

/** ISO/IEC 7812. */
function isLuhnValid(digits: string): boolean {
  let sum = 0;
  for (let i = 0; i < digits.length; i += 1) {
    const digit = Number(digits[digits.length - 1 - i]);
    const doubled = i % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}
