import { invalidBecause } from '@/lib/contract/errors/app-error';
import { type Customer, countryCode } from './customer';

/** Minimum number of letters of a customer name to search for. A shorter name could match by chance (contract B7). */
const MIN_NAME_LETTERS = 6;

/**
 * Refuses an external reference that contains customer data or a credential, because external references appear in
 * URLs, logs, and webhooks (contract B7).
 * @throws AppError invalid_request (reason `sensitive_reference`).
 */
export function checkReference(reference: string, customer: Customer): void {
  const plain = reference.normalize('NFKC');
  const found =
    holdsEmail(plain) ||
    holdsCredential(plain) ||
    holdsCardNumber(plain) ||
    holdsPhone(plain, customer.phone) ||
    holdsName(plain, customer.name);
  if (!found) return;
  throw invalidBecause('sensitive_reference');
}

function holdsEmail(text: string): boolean {
  return /[^\s@]@[^\s@]+\.[^\s@]/.test(text);
}

function holdsCredential(text: string): boolean {
  return /pbk_(?:test|live)_|whsec_/i.test(text);
}

/** Removes the separators that are common in phone numbers, such as spaces and hyphens. */
function withoutSeparators(text: string): string {
  return text.replaceAll(/[\s().+/_-]/g, '');
}

function holdsPhone(text: string, phone: string): boolean {
  const digits = phone.slice(1);
  const national = digits.slice(countryCode(phone).length);
  const compact = withoutSeparators(text);
  return compact.includes(digits) || compact.includes(national);
}

function letters(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{L}]/gu, '');
}

function holdsName(text: string, name: string): boolean {
  const searched = letters(name);
  return [...searched].length >= MIN_NAME_LETTERS && letters(text).includes(searched);
}

/**
 * Patterns that match digits without separators, and digits in the groups that are printed on payment cards. These
 * groups are 4-4-4-4, optionally followed by up to three more digits, and 4-6-4 or 4-6-5.
 */
const CARD_FORMATS = [
  /\d+/g,
  /(?<![\p{L}\d])\d{4}(?:[\s._/-]\d{4}){3}(?:[\s._/-]\d{1,3})?(?![\p{L}\d])/gu,
  /(?<![\p{L}\d])\d{4}[\s._/-]\d{6}[\s._/-]\d{4,5}(?![\p{L}\d])/gu,
];

function holdsCardNumber(text: string): boolean {
  const found = CARD_FORMATS.flatMap((shape) => text.match(shape) ?? []).map((run) => run.replaceAll(/\D/g, ''));
  return found.some((run) => run.length >= 13 && run.length <= 19 && isLuhnValid(run));
}

/** Verifies the check digit of a payment card number (ISO/IEC 7812). */
function isLuhnValid(digits: string): boolean {
  let sum = 0;
  for (let i = 0; i < digits.length; i += 1) {
    const digit = Number(digits[digits.length - 1 - i]);
    const doubled = i % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}
