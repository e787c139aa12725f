import { createHmac } from 'node:crypto';
import { hashKeyFor } from '@/lib/platform/secrets';

/**
 * Returns the keyed hash (HMAC) that is stored instead of a key. A database dump without the secret does not allow
 * guessing keys (contract B10).
 */
export function hashKey(key: string): Buffer {
  return createHmac('sha256', hashKeyFor('api-key')).update(key).digest();
}
