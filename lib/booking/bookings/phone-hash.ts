import { createHmac } from 'node:crypto';
import { acceptedSecrets, secretFor } from '@/lib/platform/secrets';

/** Length of a hash in bytes. Hashes are short, because an index contains the hash of every booking. */
const LENGTH = 16;

/**
 * Returns the keyed hash of a normalized phone number, by which a business finds a customer's bookings (decision 22).
 */
export function hashPhone(key: Buffer, tenantId: string, phone: string): Buffer {
  return createHmac('sha256', key).update(`${tenantId} ${phone}`).digest().subarray(0, LENGTH);
}

/** Returns the hash to store with a booking. */
export function storedPhoneHash(tenantId: string, phone: string): Buffer {
  return hashPhone(secretFor('phone'), tenantId, phone);
}

/**
 * Returns the hashes to search for: one for each accepted secret. During a rotation of SECRET_KEY, a booking's stored
 * hash may have been computed with the new or with the earlier secret.
 */
export function searchedPhoneHashes(tenantId: string, phone: string): Buffer[] {
  return acceptedSecrets('phone').map((key) => hashPhone(key, tenantId, phone));
}
