import { createHmac } from 'node:crypto';
import { secretFor } from '@/lib/platform/env';

/** Returns the keyed hash under which a key is stored: without the deployment's secret a dump tests no guess (B10). */
export function hashKey(key: string): Buffer {
  return createHmac('sha256', secretFor('api-key')).update(key).digest();
}
