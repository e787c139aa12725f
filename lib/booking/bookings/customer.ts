import { getCountries, getCountryCallingCode } from 'libphonenumber-js/min';
import { open, seal } from '@/lib/platform/crypto';
import { singleton } from '@/lib/platform/singleton';

/** The customer of a booking. */
export type Customer = { name: string; phone: string };

const context = (reference: string, field: string) => `bookings.${field} ${reference}`;

/** A customer's encrypted data, as stored. */
export type SealedCustomer = { name: Buffer; phone: Buffer };

/** Encrypts a customer. The result can be decrypted only with the reference of the same booking. */
export function sealCustomer(reference: string, { name, phone }: Customer): SealedCustomer {
  return {
    name: seal(name, context(reference, 'customer_name')),
    phone: seal(phone, context(reference, 'customer_phone')),
  };
}

/** Returns the customer of a booking, or null if the customer was anonymized. */
export function openCustomer(row: {
  reference: string;
  customer_name: Uint8Array | null;
  customer_phone: Uint8Array | null;
}): Customer | null {
  const { reference, customer_name: name, customer_phone: phone } = row;
  if (!name || !phone) return null;
  return {
    name: open(name, context(reference, 'customer_name')),
    phone: open(phone, context(reference, 'customer_phone')),
  };
}

function callingCodes(): Set<string> {
  return singleton('calling-codes', () => new Set(getCountries().map((country) => getCountryCallingCode(country))));
}

/**
 * Returns the digits of the country code of a normalized number. Synthetic numbers are valid (contract B7) and may have
 * an unassigned country code, which is assumed to have three digits, the maximum.
 */
export function countryCode(phone: string): string {
  const digits = phone.slice(1);
  for (const length of [1, 2, 3]) if (callingCodes().has(digits.slice(0, length))) return digits.slice(0, length);
  return digits.slice(0, 3);
}

/**
 * Returns a normalized number in which all digits except the country code and the last three are masked
 * (contract B7).
 */
export function maskPhone(phone: string): string {
  const code = countryCode(phone);
  const hidden = Math.max(0, phone.length - 1 - code.length - 3);
  return `+${code}${'*'.repeat(hidden)}${phone.slice(-3)}`;
}

/** Returns a name of which only the first letter is visible. */
export function maskName(name: string): string {
  return `${[...name][0] ?? ''}***`;
}
