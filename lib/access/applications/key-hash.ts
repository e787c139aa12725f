import { createHmac } from 'node:crypto';
import { secretFor } from '@/lib/platform/env';

/** Returns the stored hash of a key. It is keyed, so that a database dump alone does not allow guessing (contract B10). */
export function hashKey(key: string): Buffer {
  return createHmac('sha256', secretFor('api-key')).update(key).digest();
}
