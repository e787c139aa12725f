import { createHmac } from 'node:crypto';
import { hashKeyFor } from '@/lib/platform/secrets';

/**
 * Returns the keyed hash (HMAC) that is stored instead of a key. Without the secret, nobody can find keys by
 * comparing guesses with the hashes in a database dump (contract B10).
 */
export function hashKey(key: string): Buffer {
  return createHmac('sha256', hashKeyFor('api-key')).update(key).digest();
}
