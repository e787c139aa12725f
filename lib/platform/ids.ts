import { createHash, randomBytes } from 'node:crypto';
import { fromUUID, typeidUnboxed } from 'typeid-js';

/** The prefixes of our ids (contract B1). */
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

/** The tenant of the sandbox, the only one that a reset may empty. */
export const SANDBOX_TENANT_ID = 'ten_01jgfjjzz8e008000000000001';

/** Returns a new id: the prefix and a UUIDv7 in base32 (TypeID, contract B1). Ids sort by the time they were made. */
export function newId(prefix: IdPrefix): string {
  return typeidUnboxed(prefix);
}

/** 2025-01-01T00:00:00Z: when derived ids say they were made. */
const DERIVED_AT = Date.UTC(2025, 0, 1).toString(16).padStart(12, '0');

/**
 * Returns the id that a name always has in a tenant: 74 bits of a hash in the form of B1. Who imports the same document
 * twice means the same records, and a name tells nothing about other tenants.
 */
export function derivedId(prefix: IdPrefix, tenantId: string, name: string): string {
  const hash = createHash('sha256').update(`${prefix} ${tenantId} ${name}`).digest('hex');
  const variant = (8 + (Number.parseInt(hash.charAt(3), 16) % 4)).toString(16);
  const uuid = `${DERIVED_AT.slice(0, 8)}-${DERIVED_AT.slice(8)}-7${hash.slice(0, 3)}-${variant}${hash.slice(4, 7)}`;
  return fromUUID(`${uuid}-${hash.slice(7, 19)}`, prefix);
}

const ID = /^[a-z]{3}_[0-7][0-9a-hjkmnp-tv-z]{25}$/;

/** Tells whether `value` is written like an id with that prefix; it need not exist. */
export function isId(prefix: IdPrefix, value: string): boolean {
  return value.length === 30 && value.startsWith(`${prefix}_`) && ID.test(value);
}

const BASE32 = '0123456789abcdefghjkmnpqrstvwxyz';

/** Returns a new booking reference: `pbr_` and 26 random base32 characters, telling neither time nor order (B1). */
export function newBookingReference(): string {
  let reference = 'pbr_';
  for (const byte of randomBytes(26)) reference += BASE32[byte & 31];
  return reference;
}

/** Tells whether `value` is written like a booking reference. */
export function isBookingReference(value: string): boolean {
  return /^pbr_[0-9a-hjkmnp-tv-z]{26}$/.test(value);
}
