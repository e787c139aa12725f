import { getCountries, getCountryCallingCode } from 'libphonenumber-js/min';
import { open, seal } from '@/lib/platform/crypto';
import { singleton } from '@/lib/platform/singleton';

/** Who a booking is for. */
export type Customer = { name: string; phone: string };

const place = (reference: string, field: string) => `bookings.${field} ${reference}`;

/** Returns the customer as it is stored: encrypted, and bound to this booking. */
export function sealCustomer(reference: string, { name, phone }: Customer): { name: Buffer; phone: Buffer } {
  return {
    name: seal(name, place(reference, 'customer_name')),
    phone: seal(phone, place(reference, 'customer_phone')),
  };
}

/** Returns the customer of a booking, or null once anonymised. */
export function openCustomer(row: {
  reference: string;
  customer_name: Uint8Array | null;
  customer_phone: Uint8Array | null;
}): Customer | null {
  const { reference, customer_name: name, customer_phone: phone } = row;
  if (!name || !phone) return null;
  return {
    name: open(name, place(reference, 'customer_name')),
    phone: open(phone, place(reference, 'customer_phone')),
  };
}

function callingCodes(): Set<string> {
  return singleton('calling-codes', () => new Set(getCountries().map((country) => getCountryCallingCode(country))));
}

/**
 * Returns the digits of the country code that a normalised number starts with. Synthetic numbers pass (contract B7),
 * so an unassigned code counts as three digits, the longest there is.
 */
export function countryCode(phone: string): string {
  const digits = phone.slice(1);
  for (const length of [1, 2, 3]) if (callingCodes().has(digits.slice(0, length))) return digits.slice(0, length);
  return digits.slice(0, 3);
}

/** Returns a normalised number with only its country code and last three digits readable (contract B7). */
export function maskPhone(phone: string): string {
  const code = countryCode(phone);
  const hidden = Math.max(0, phone.length - 1 - code.length - 3);
  return `+${code}${'*'.repeat(hidden)}${phone.slice(-3)}`;
}

/** Returns a name with only its first letter readable, for whoever need not know it. */
export function maskName(name: string): string {
  return `${[...name][0] ?? ''}***`;
}
