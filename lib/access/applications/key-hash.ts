import { createHmac } from 'node:crypto';
import { hashKeyFor } from '@/lib/platform/secrets';

/**
 * Returns the keyed hash (HMAC) that is stored instead of a key. Because this hash also requires a secret, a database
 * dump alone does not show whether a guessed key is correct (contract B10).
 */
export function hashKey(key: string): Buffer {
  return createHmac('sha256', hashKeyFor('api-key')).update(key).digest();
}
