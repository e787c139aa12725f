import { createHmac } from 'node:crypto';
import { getCountries, getCountryCallingCode } from 'libphonenumber-js/min';
import { invalidField } from '@/lib/contract/errors/app-error';
import { acceptedTokenKeys, open, placeIn, seal, tokenKeyFor } from '@/lib/platform/secrets';
import { singleton } from '@/lib/platform/singleton';
import { param, sql } from '@/lib/platform/sql';

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
export type SealedOptions = {
  customer_email: Buffer | null;
  customer_locale: string | null;
  note: Buffer | null;
  metadata: Buffer | null;
};

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

/** Returns the digits of the country code. That of a synthetic number can be unassigned (contract B7), with three digits. */
export function countryCode(phone: string): string {
  const digits = phone.slice(1);
  for (const length of [1, 2, 3]) if (callingCodes().has(digits.slice(0, length))) return digits.slice(0, length);
  return digits.slice(0, 3);
}

/** Returns all stored spellings of a number, the given one first. Mexico's mobile numbers had a 1 until 2019. */
export function spellingsOf(phone: string): string[] {
  const [, withOne, without] = /^\+52(?:1(\d{10})|(\d{10}))$/.exec(phone) ?? [];
  if (withOne !== undefined) return [phone, `+52${withOne}`];
  return without === undefined ? [phone] : [phone, `+521${without}`];
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

/** Bytes. Short hashes keep the index small, which contains one for every booking. */
const PHONE_LENGTH = 16;
/** Bytes. Within a tenant, two words practically never have the same hash. */
const WORD_LENGTH = 8;
/** Maximum number of words by which a name is found. */
const MAX_WORDS = 8;

/** Letters that have no decomposition, and how people without them on the keyboard write them. */
const FOLDED: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ı: 'i',
  ł: 'l',
  þ: 'th',
  ς: 'σ',
};

const FOLDABLE = new RegExp(`[${Object.keys(FOLDED).join('')}]`, 'g');

/**
 * Returns the different words of a name of at most 200 characters, in lower case and without marks: `Zoë SAMPLE-Robin`
 * has the words `zoe`, `sample`, and `robin`.
 */
export function wordsOf(name: string): string[] {
  const plain = name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  const folded = plain.replaceAll(FOLDABLE, (letter) => FOLDED[letter] ?? letter);
  return [...new Set(folded.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== ''))].slice(0, MAX_WORDS);
}

const hashOf = (key: Buffer, text: string, length: number) =>
  createHmac('sha256', key).update(text).digest().subarray(0, length);

/** Returns the keyed hash by which a normalized phone number is found (decision 22). */
export function hashPhone(key: Buffer, tenantId: string, phone: string): Buffer {
  return hashOf(key, `${tenantId} ${phone}`, PHONE_LENGTH);
}

/** Returns the keyed hashes of the words of a name. */
export function hashName(key: Buffer, tenantId: string, name: string): Buffer[] {
  return wordsOf(name).map((word) => hashOf(key, `${tenantId} ${word}`, WORD_LENGTH));
}

/** The hashes by which the bookings of a customer are found. */
export type ContactHashes = { phoneHash: Buffer; nameHashes: Buffer[] };

/** Returns the hashes to store with a booking. */
export function storedHashes(tenantId: string, { name, phone }: Customer): ContactHashes {
  return {
    phoneHash: hashPhone(tokenKeyFor('phone'), tenantId, phone),
    nameHashes: hashName(tokenKeyFor('name'), tenantId, name),
  };
}

/** Returns the hashes to search for. During a rotation, a stored one may have the new or the previous secret. */
export function searchedPhoneHashes(tenantId: string, phone: string): Buffer[] {
  return acceptedTokenKeys('phone').map((key) => hashPhone(key, tenantId, phone));
}

/** Of a booking `b` whose name has all words of `searchedNameHashes`. */
export const HAS_WORDS = sql`(b.name_hashes @> ${param.byteas('hashes')} OR b.name_hashes @> ${param.byteas('previousHashes')})`;

/**
 * Returns the hashes for `HAS_WORDS`: all of the first list or all of the second. During a rotation, stored ones may have the
 * new or the previous secret. Otherwise, both lists are equal.
 * @throws AppError invalid_request for a name without a word of two letters.
 */
export function searchedNameHashes(tenantId: string, name: string): { hashes: Buffer[]; previousHashes: Buffer[] } {
  if (!wordsOf(name).some((word) => word.length > 1)) throw invalidField('name', 'must contain a word of two letters');
  const [hashes = [], previousHashes = hashes] = acceptedTokenKeys('name').map((key) => hashName(key, tenantId, name));
  return { hashes, previousHashes };
}
