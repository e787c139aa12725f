import anyAscii from 'any-ascii';
import { invalidBecause } from '@/lib/contract/errors/app-error';
import { holdsCardNumber } from './card-number';
import { type Customer, countryCode } from './customer';
import { spellingsOf } from './national-phone';

/** A reference may contain a name with fewer letters, because a short name can occur in it by chance (contract B7). */
const MIN_NAME_LETTERS = 6;

/** A shorter national number can occur in a reference by chance, so it counts only with the country code (contract B7). */
const MIN_NATIONAL_DIGITS = 7;

/**
 * Refuses an external reference that contains customer data or a credential, because external references appear in
 * URLs, logs, and webhooks (contract B7).
 * @throws AppError invalid_request (reason `sensitive_reference`).
 */
export function checkReference(reference: string, customer: Customer): void {
  if (holdsSensitive(reference, customer)) throw invalidBecause('sensitive_reference');
}

/** Returns whether an external reference contains customer data or a credential (contract B7). */
export function holdsSensitive(reference: string, customer: Customer): boolean {
  const plain = reference.normalize('NFKC');
  return (
    holdsEmail(plain) ||
    holdsCredential(plain) ||
    holdsCardNumber(plain) ||
    holdsPhone(plain, customer.phone) ||
    holdsName(plain, customer.name)
  );
}

function holdsEmail(text: string): boolean {
  return /[^\s@]@[^\s@]+\.[^\s@]/.test(text);
}

function holdsCredential(text: string): boolean {
  return /pbk_(?:test|live)_|whsec_/i.test(text);
}

/** The digit zero of the scripts in which people write numbers. The other digits follow it in Unicode. */
const ZEROS = [
  0x0660, 0x06f0, 0x07c0, 0x0966, 0x09e6, 0x0a66, 0x0ae6, 0x0b66, 0x0be6, 0x0c66, 0x0ce6, 0x0d66, 0x0e50, 0x0ed0,
  0x0f20, 0x1040, 0x17e0, 0x1810,
];

const DIGITS = new Map(
  ZEROS.flatMap((zero) => Array.from({ length: 10 }, (_, i) => [String.fromCodePoint(zero + i), String(i)] as const)),
);

/** Returns the text without separators of phone numbers, and with ASCII digits. */
function compactNumber(text: string): string {
  const plain = text.replaceAll(/[\s().+/_\p{Pd}\p{Cf}\u2212\u30fc·・[\]]/gu, '');
  return plain.replaceAll(/[^0-9]/gu, (character) => DIGITS.get(character) ?? character);
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
// letters of `Σ` to one. Lowercase before it, because only this maps `ẞ` to `ß`. Apostrophes that Unicode counts as
// letters, as in `ŉ`, do not count.
function letters(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .toUpperCase()
    .normalize('NFKD')
    .replaceAll(/[^\p{L}]|[\u02b9-\u02ff]/gu, '')
    .replaceAll(/[^A-Z\P{Script=Latin}]/gu, basicLetters);
}

// Unicode decomposes `é`, but not letters such as `ø`, `ł`, `đ`, and `æ`. A few letters, such as those of clicks, have no
// letter of A to Z.
function basicLetters(letter: string): string {
  const basic = anyAscii(letter).toUpperCase();
  return /^[A-Z]+$/.test(basic) ? basic : letter;
}

function holdsName(text: string, name: string): boolean {
  const searched = letters(name);
  return [...searched].length >= MIN_NAME_LETTERS && letters(text).includes(searched);
}
