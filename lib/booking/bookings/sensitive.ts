import { invalidBecause } from '@/lib/contract/errors/app-error';
import { holdsCardNumber } from './card-number';
import { type Customer, countryCode } from './customer';

/** A reference may contain a name with fewer letters, because a short name can occur in it by chance (contract B7). */
const MIN_NAME_LETTERS = 6;

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

/** Removes common separators of phone numbers, such as spaces and hyphens. */
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
