import { createHmac } from 'node:crypto';
import { hashKeyFor } from '@/lib/platform/secrets';

/** Returns the HMAC that is stored instead of a key, so that a dump alone cannot check a guess (contract B10). */
export function hashKey(key: string): Buffer {
  return createHmac('sha256', hashKeyFor('api-key')).update(key).digest();
}
