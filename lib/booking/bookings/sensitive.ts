import anyAscii from 'any-ascii';
import { invalidBecause } from '@/lib/contract/errors/app-error';
import { type Customer, countryCode, spellingsOf } from './customer';

/** A short name can occur in a reference by chance (contract B7). */
const MIN_NAME_LETTERS = 6;

/** A shorter national number can occur by chance, so it counts only with the country code (contract B7). */
const MIN_NATIONAL_DIGITS = 7;

/**
 * Refuses an external reference with customer data or a credential, because references appear in URLs, logs, and
 * webhooks (contract B7).
 * @throws AppError invalid_request (reason `sensitive_reference`).
 */
export function checkReference(reference: string, customer: Customer): void {
  if (holdsSensitive(reference, customer)) throw invalidBecause('sensitive_reference');
}

/**
 * Refuses metadata with customer data or a credential, in a name or a value, or spread over several (contract B19).
 * @throws AppError invalid_request (reason `sensitive_reference`).
 */
export function checkMetadata(metadata: Record<string, string>, customer: Customer): void {
  // The separator is no letter or digit, and in no group of a card number, so that a number of its own stays one.
  const texts = [Object.keys(metadata), Object.values(metadata)].map((parts) => parts.join(' | '));
  if (texts.some((text) => holdsSensitive(text, customer))) throw invalidBecause('sensitive_reference', 'metadata');
}

/** Returns whether an external reference contains customer data or a credential (contract B7). */
export function holdsSensitive(reference: string, customer: Customer): boolean {
  const plain = withAsciiDigits(reference.normalize('NFKC'));
  return (
    holdsEmail(plain) ||
    holdsCredential(plain) ||
    holdsCardNumber(plain) ||
    holdsPhone(plain, customer.phone) ||
    holdsName(plain, customer.name)
  );
}

function holdsEmail(text: string): boolean {
  return /[^\s@]@[^\s@]+[.。][^\s@]/.test(text);
}

function holdsCredential(text: string): boolean {
  return /pbk_(?:test|live)_|whsec_/i.test(text);
}

/** The digit zero of every script of Unicode 17. The other digits follow it. */
const ZEROS = [
  0x0660, 0x06f0, 0x07c0, 0x0966, 0x09e6, 0x0a66, 0x0ae6, 0x0b66, 0x0be6, 0x0c66, 0x0ce6, 0x0d66, 0x0de6, 0x0e50,
  0x0ed0, 0x0f20, 0x1040, 0x1090, 0x17e0, 0x1810, 0x1946, 0x19d0, 0x1a80, 0x1a90, 0x1b50, 0x1bb0, 0x1c40, 0x1c50,
  0xa620, 0xa8d0, 0xa900, 0xa9d0, 0xa9f0, 0xaa50, 0xabf0, 0x104a0, 0x10d30, 0x10d40, 0x11066, 0x110f0, 0x11136, 0x111d0,
  0x112f0, 0x11450, 0x114d0, 0x11650, 0x116c0, 0x116d0, 0x116da, 0x11730, 0x118e0, 0x11950, 0x11bf0, 0x11c50, 0x11d50,
  0x11da0, 0x11de0, 0x11f50, 0x16130, 0x16a60, 0x16ac0, 0x16b50, 0x16d70, 0x1e140, 0x1e2f0, 0x1e4f0, 0x1e5f1, 0x1e950,
];

const DIGITS = new Map(
  ZEROS.flatMap((zero) => Array.from({ length: 10 }, (_, i) => [String.fromCodePoint(zero + i), String(i)] as const)),
);

function withAsciiDigits(text: string): string {
  return text.replaceAll(/\P{ASCII}/gu, (character) => DIGITS.get(character) ?? character);
}

/** Returns the letters and digits of a text, so that numbers with any separators are found. */
function compactNumber(text: string): string {
  return text.replaceAll(/[^\p{L}\p{N}]|[\p{Lm}\p{Default_Ignorable_Code_Point}]/gu, '');
}

function holdsPhone(text: string, phone: string): boolean {
  return spellingsOf(phone).some((spelling) => holdsSpelling(text, spelling));
}

function holdsSpelling(text: string, phone: string): boolean {
  const digits = phone.slice(1);
  const national = digits.slice(countryCode(phone).length);
  const compact = compactNumber(text);
  return compact.includes(digits) || (national.length >= MIN_NATIONAL_DIGITS && compact.includes(national));
}

// Uppercase last, because only this maps `ß` to two letters, the Turkish `ı` to the letter of `I`, and the two small
// letters of `Σ` to one. Lowercase before it, because only this maps `ẞ` to `ß`. What Unicode counts as letters, but
// stands for an apostrophe, as in `ŉ`, a long sound, or nothing, does not count.
function letters(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .toUpperCase()
    .normalize('NFKD')
    .replaceAll(/[^\p{L}]|[\p{Lm}\p{Default_Ignorable_Code_Point}]/gu, '')
    .replaceAll(/[^A-Z\P{Script=Latin}]/gu, basicLetters);
}

// Unicode decomposes `é`, but not `ø`, `ł`, `đ`, and `æ`. A few letters, such as those of clicks, have none of A to Z.
function basicLetters(letter: string): string {
  const basic = anyAscii(letter).toUpperCase();
  return /^[A-Z]+$/.test(basic) ? basic : letter;
}

function holdsName(text: string, name: string): boolean {
  const searched = letters(name);
  return [...searched].length >= MIN_NAME_LETTERS && letters(text).includes(searched);
}

/** Contract B7, with the lengths. Not 13 digits, because Visa no longer issues them, and airline tickets and EAN-13 codes have them. */
const ISSUERS: readonly { start: RegExp; min: number; max: number }[] = [
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
