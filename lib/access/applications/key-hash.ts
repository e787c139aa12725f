import { createHmac } from 'node:crypto';
import { hashKeyFor } from '@/lib/platform/secrets';

/**
 * Returns the keyed hash (HMAC) that is stored instead of a key. An attacker who has only a database dump cannot guess
 * keys, because the dump does not contain the secret that the HMAC uses (contract B10).
 */
export function hashKey(key: string): Buffer {
  return createHmac('sha256', hashKeyFor('api-key')).update(key).digest();
}
