import { createHmac } from 'node:crypto';
import { secretFor } from '@/lib/platform/env';

/**
 * Returns the keyed hash (HMAC) under which a key is stored. Keys cannot be guessed from a database dump alone, because
 * the dump does not contain the secret of the hash (contract B10).
 */
export function hashKey(key: string): Buffer {
  return createHmac('sha256', secretFor('api-key')).update(key).digest();
}
