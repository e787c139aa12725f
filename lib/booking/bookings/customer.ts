import { getCountries, getCountryCallingCode } from 'libphonenumber-js/min';
import { open, seal } from '@/lib/platform/crypto';
import { placeIn } from '@/lib/platform/sealed-columns';
import { singleton } from '@/lib/platform/singleton';

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

/** Encrypts what the business noted about a booking. It can be decrypted only with the same booking reference. */
export function sealNote(reference: string, note: string): Buffer {
  return seal(note, placeIn('bookings.note', reference));
}

/** Decrypts the note of a booking. Returns null if there is none. */
export function openNote({ reference, note }: { reference: string; note: Uint8Array | null }): string | null {
  return note && open(note, placeIn('bookings.note', reference));
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

/** Returns the first letter of a name, followed by three asterisks. */
export function maskName(name: string): string {
  return `${[...name][0] ?? ''}***`;
}
