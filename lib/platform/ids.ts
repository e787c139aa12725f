import { createHash, randomBytes } from 'node:crypto';
import { fromUUID, typeidUnboxed } from 'typeid-js';

/** The prefixes of ids (contract B1). */
export type IdPrefix =
  | 'ten'
  | 'loc'
  | 'svc'
  | 'spc'
  | 'app'
  | 'key'
  | 'evt'
  | 'dlv'
  | 'req'
  | 'usr'
  | 'aud'
  | 'ses'
  | 'inv'
  | 'rpl';

/** The tenant of the sandbox. A reset deletes the data of this tenant only. */
export const SANDBOX_TENANT_ID = 'ten_01jgfjjzz8e008000000000001';

/** Returns a new id: the prefix and a UUIDv7 in base32 (TypeID, contract B1). Ids sort by creation time. */
export function newId(prefix: IdPrefix): string {
  return typeidUnboxed(prefix);
}

/** 2025-01-01T00:00:00Z, the timestamp in derived ids. */
const DERIVED_AT = Date.UTC(2025, 0, 1).toString(16).padStart(12, '0');

/**
 * Returns the id that is derived from a tenant and a name: 74 bits of a hash in the format of contract B1. Importing a
 * document twice addresses the same records, and the same name in two tenants gives unrelated ids.
 */
export function derivedId(prefix: IdPrefix, tenantId: string, name: string): string {
  const hash = createHash('sha256').update(`${prefix} ${tenantId} ${name}`).digest('hex');
  const variant = (8 + (Number.parseInt(hash.charAt(3), 16) % 4)).toString(16);
  const uuid = `${DERIVED_AT.slice(0, 8)}-${DERIVED_AT.slice(8)}-7${hash.slice(0, 3)}-${variant}${hash.slice(4, 7)}`;
  return fromUUID(`${uuid}-${hash.slice(7, 19)}`, prefix);
}

const ID = /^[a-z]{3}_[0-7][0-9a-hjkmnp-tv-z]{25}$/;

/** Returns whether `value` has the format of an id with that prefix. */
export function isId(prefix: IdPrefix, value: string): boolean {
  return value.length === 30 && value.startsWith(`${prefix}_`) && ID.test(value);
}

const BASE32 = '0123456789abcdefghjkmnpqrstvwxyz';

/** Digits of the timestamp in an id: 50 bits, of which UUIDv7 uses 48. */
const TIME_DIGITS = 10;

/** Returns the lower bound of the ids that are created from a time on: ids created earlier sort before it. */
export function idBound(prefix: IdPrefix, at: Date): string {
  let rest = at.getTime();
  let digits = '';
  for (let digit = 0; digit < TIME_DIGITS; digit += 1) {
    digits = BASE32.charAt(rest % 32) + digits;
    rest = Math.floor(rest / 32);
  }
  return `${prefix}_${digits}`;
}

/** Returns the creation time in an id or in a bound of ids. */
export function timeOfId(id: string): Date {
  let time = 0;
  for (const digit of id.slice(4, 4 + TIME_DIGITS)) time = time * 32 + BASE32.indexOf(digit);
  return new Date(time);
}

/** Returns a new booking reference: `pbr_` and 26 random base32 characters. It reveals no time or order (contract B1). */
export function newBookingReference(): string {
  let reference = 'pbr_';
  for (const byte of randomBytes(26)) reference += BASE32[byte & 31];
  return reference;
}

/** Returns whether `value` has the format of a booking reference. */
export function isBookingReference(value: string): boolean {
  return /^pbr_[0-9a-hjkmnp-tv-z]{26}$/.test(value);
}
