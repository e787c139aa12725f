import { createHash, randomBytes, randomFillSync } from 'node:crypto';
import { fromUUID } from 'typeid-js';

/** Contract B1. */
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
  | 'mal'
  | 'rpl'
  | 'sgn'
  | 'rfc'
  | 'sst'
  | 'psk'
  | 'viw'
  | 'blk'
  | 'cal'
  | 'cld'
  | 'ers';

/** A sandbox reset deletes only this tenant's data. */
export const SANDBOX_TENANT_ID = 'ten_01jgfjjzz8e008000000000001';

const BASE32 = '0123456789abcdefghjkmnpqrstvwxyz';
/** The two base32 characters of each ten-bit value. */
const PAIRS = Array.from({ length: 1024 }, (_, value) => BASE32.charAt(value >> 5) + BASE32.charAt(value & 31));

const RANDOM_BYTES = 10;
/** Generating random bytes separately for each id would be the slowest step of `newId`. */
const pool = Buffer.alloc(RANDOM_BYTES * 400);
let used = pool.length;
/** Milliseconds that the clock may step back without changing the order of ids. */
const MAX_STEP_BACK = 1_000;
/** The `text` is the time as ten base32 characters. */
let latest = { time: 0, text: '', counter: 0 };

/**
 * Returns a new id: the prefix and a UUIDv7 in base32 (TypeID, contract B1). Ids sort by creation time. A counter with
 * a random start orders those of a process in the same millisecond. The package typeid-js takes ten times as long, and
 * every request needs an id.
 */
export function newId(prefix: IdPrefix): string {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const now = Date.now();
  // After a small step back of the clock, ids keep the latest time and so their order.
  if (now > latest.time || now < latest.time - MAX_STEP_BACK)
    latest = { time: now, text: timeDigits(now), counter: pool.readUInt32BE(used) >>> 1 };
  else latest.counter += 1;
  const { text, counter } = latest;
  // The 80 bits after the timestamp: version 7 (4 bits), upper 12 bits of the counter, variant 2 (2 bits), lower 20
  // bits of the counter, 42 random bits. Each pair of characters encodes ten bits.
  const high = 0x7000 | (counter >>> 20);
  const low = 0x200000 | (counter & 0xfffff);
  const random = pool.readUInt32BE(used + 4);
  const last = pool.readUInt16BE(used + 8);
  used += RANDOM_BYTES;
  const counted =
    pair(high >> 6) + pair((high << 4) | (low >> 18)) + pair(low >> 8) + pair((low << 2) | (random >>> 30));
  return `${prefix}_${text}${counted}${pair(random >>> 20)}${pair(random >>> 10)}${pair(random)}${pair(last)}`;
}

function pair(bits: number): string {
  return PAIRS[bits & 1023] ?? '';
}

/** Ten base32 digits hold 50 bits. The timestamp of a UUIDv7 needs only 48. */
const TIME_DIGITS = 10;

function timeDigits(milliseconds: number): string {
  let rest = milliseconds;
  let digits = '';
  for (let digit = 0; digit < TIME_DIGITS; digit += 1) {
    digits = BASE32.charAt(rest % 32) + digits;
    rest = Math.floor(rest / 32);
  }
  return digits;
}

/** The time in ids that `derivedId` returns without another time. */
const DERIVED_AT = new Date(Date.UTC(2025, 0, 1));

/**
 * Derives an id with the given time from a tenant and a name (contract B1). A document that is imported twice gets the
 * same ids.
 */
export function derivedId(prefix: IdPrefix, tenantId: string, name: string, at = DERIVED_AT): string {
  const time = at.getTime().toString(16).padStart(12, '0');
  const hash = createHash('sha256').update(`${prefix} ${tenantId} ${name}`).digest('hex');
  const variant = (8 + (Number.parseInt(hash.charAt(3), 16) % 4)).toString(16);
  const uuid = `${time.slice(0, 8)}-${time.slice(8)}-7${hash.slice(0, 3)}-${variant}${hash.slice(4, 7)}`;
  return fromUUID(`${uuid}-${hash.slice(7, 19)}`, prefix);
}

const ID = /^[a-z]{3}_[0-7][0-9a-hjkmnp-tv-z]{25}$/;

/** Returns whether `value` has the format of an id with the given prefix. */
export function isId(prefix: IdPrefix, value: string): boolean {
  return value.length === 30 && value.startsWith(`${prefix}_`) && ID.test(value);
}

/** Returns a string that sorts after all ids that were created before `at`, and before all later ids. */
export function idBound(prefix: IdPrefix, at: Date): string {
  return `${prefix}_${timeDigits(at.getTime())}`;
}

/** Returns the time in an id or in a bound from `idBound`. */
export function timeOfId(id: string): Date {
  let time = 0;
  for (const digit of id.slice(4, 4 + TIME_DIGITS)) time = time * 32 + BASE32.indexOf(digit);
  return new Date(time);
}

/** Returns a new booking reference, which reveals nothing about time or order (contract B1). */
export function newBookingReference(): string {
  let reference = 'pbr_';
  for (const byte of randomBytes(26)) reference += BASE32[byte & 31];
  return reference;
}

/**
 * Derives a booking reference from a tenant and a random key, such as one that a page made for its form. The same key
 * always gives the same reference, so that the primary key prevents a second booking.
 */
export function derivedReference(tenantId: string, key: string): string {
  const hash = createHash('sha256').update(`booking ${tenantId} ${key}`).digest();
  return `pbr_${[...hash.subarray(0, 26)].map((byte) => BASE32[byte & 31]).join('')}`;
}

/** Returns whether `value` has the format of a booking reference. */
export function isBookingReference(value: string): boolean {
  return /^pbr_[0-9a-hjkmnp-tv-z]{26}$/.test(value);
}
