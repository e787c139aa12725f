import { createHmac } from 'node:crypto';
import { acceptedTokenKeys, tokenKeyFor } from '@/lib/platform/secrets';
import type { Customer } from './customer';
import { storedNameHashes } from './name-hash';

/** Bytes. Short hashes keep the index small, which contains one for every booking. */
const LENGTH = 16;

/** Returns the keyed hash by which a normalized phone number is found (decision 22). */
export function hashPhone(key: Buffer, tenantId: string, phone: string): Buffer {
  return createHmac('sha256', key).update(`${tenantId} ${phone}`).digest().subarray(0, LENGTH);
}

/** The hashes by which the bookings of a customer are found. */
export type ContactHashes = { phoneHash: Buffer; nameHashes: Buffer[] };

/** Returns the hashes to store with a booking. */
export function storedHashes(tenantId: string, { name, phone }: Customer): ContactHashes {
  const phoneHash = hashPhone(tokenKeyFor('phone'), tenantId, phone);
  return { phoneHash, nameHashes: storedNameHashes(tenantId, name) };
}

/** Returns the hashes to search for. During a rotation, a stored one may have the new or the previous secret. */
export function searchedPhoneHashes(tenantId: string, phone: string): Buffer[] {
  return acceptedTokenKeys('phone').map((key) => hashPhone(key, tenantId, phone));
}
