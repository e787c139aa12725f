import { getCountries, getCountryCallingCode } from 'libphonenumber-js/min';
import { open, seal } from '@/lib/platform/crypto';
import { placeIn } from '@/lib/platform/sealed-columns';
import { singleton } from '@/lib/platform/singleton';
import type { BookingRow } from './row';

export type Customer = { name: string; phone: string };

export type SealedCustomer = { name: Buffer; phone: Buffer };

/** Encrypts a customer's data. It can be decrypted only with the same booking reference. */
export function sealCustomer(reference: string, { name, phone }: Customer): SealedCustomer {
  return {
    name: seal(name, placeIn('bookings.customer_name', reference)),
    phone: seal(phone, placeIn('bookings.customer_phone', reference)),
  };
}

/** Decrypts the customer of a booking. Returns null if the customer was anonymized. */
export function openCustomer(row: {
  reference: string;
  customer_name: Uint8Array | null;
  customer_phone: Uint8Array | null;
}): Customer | null {
  const { reference, customer_name: name, customer_phone: phone } = row;
  if (!name || !phone) return null;
  return {
    name: open(name, placeIn('bookings.customer_name', reference)),
    phone: open(phone, placeIn('bookings.customer_phone', reference)),
  };
}

/** The optional fields of a booking (contract B19). The business writes the email address and the note of its own ones. */
export type Options = {
  email: string | null;
  locale: string | null;
  note: string | null;
  metadata: Record<string, string> | null;
};

/** The columns of the optional fields. They are erased together with the customer. */
export type SealedOptions = Pick<BookingRow, 'customer_email' | 'customer_locale' | 'note' | 'metadata'>;

/** Encrypts the optional fields of a booking. They can be decrypted only with the same booking reference. */
export function sealOptions(reference: string, { email, locale, note, metadata }: Partial<Options>): SealedOptions {
  const sealed = (text: string | null | undefined, column: 'customer_email' | 'note' | 'metadata') =>
    text ? seal(text, placeIn(`bookings.${column}`, reference)) : null;
  return {
    customer_email: sealed(email, 'customer_email'),
    customer_locale: locale ?? null,
    note: sealed(note, 'note'),
    metadata: sealed(metadata && JSON.stringify(metadata), 'metadata'),
  };
}

/** Decrypts the optional fields of a booking. All are null if the customer was anonymized. */
export function openOptions(row: SealedOptions & { reference: string }): Options {
  const opened = (column: 'customer_email' | 'note' | 'metadata') =>
    row[column] && open(row[column], placeIn(`bookings.${column}`, row.reference));
  const metadata = opened('metadata');
  return {
    email: opened('customer_email'),
    locale: row.customer_locale,
    note: opened('note'),
    metadata: metadata === null ? null : (JSON.parse(metadata) as Record<string, string>),
  };
}

function callingCodes(): Set<string> {
  return singleton('calling-codes', () => new Set(getCountries().map((country) => getCountryCallingCode(country))));
}

/**
 * Returns the digits of the country code. That of a synthetic number can be unassigned (contract B7), with three
 * digits.
 */
export function countryCode(phone: string): string {
  const digits = phone.slice(1);
  for (const length of [1, 2, 3]) if (callingCodes().has(digits.slice(0, length))) return digits.slice(0, length);
  return digits.slice(0, 3);
}

/** Masks all digits of a normalized phone number except the country code and the last three digits (contract B7). */
export function maskPhone(phone: string): string {
  const code = countryCode(phone);
  const hidden = Math.max(0, phone.length - 1 - code.length - 3);
  return `+${code}${'*'.repeat(hidden)}${phone.slice(-3)}`;
}

/**
 * Keeps only the first character of both parts of an email address, and the last label (contract B19). The number of
 * asterisks does not show the length.
 */
export function maskEmail(email: string): string {
  const domain = email.slice(email.lastIndexOf('@') + 1);
  return `${email[0]}***@${domain[0]}***${domain.slice(domain.lastIndexOf('.'))}`;
}

/** Returns the first letter of a name, followed by three asterisks. */
export function maskName(name: string): string {
  return `${[...name][0] ?? ''}***`;
}
