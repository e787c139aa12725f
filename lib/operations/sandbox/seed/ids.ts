import { fromUUID } from 'typeid-js';
import type { IdPrefix } from '@/lib/platform/ids';

/**
 * The timestamp in all sandbox ids, 2025-01-01T00:00:00Z in Unix milliseconds. Sandbox ids therefore sort before
 * generated ones.
 */
const EPOCH = Date.UTC(2025, 0, 1);

/**
 * Returns the id of the sandbox record with this number (1 to 99999). The id is a valid TypeID (contract B1), and is
 * the same on every machine and after every reset. The order of the ids is the order of the numbers.
 */
export function sandboxId(prefix: IdPrefix, number: number): string {
  const time = (EPOCH + number * 1000).toString(16).padStart(12, '0');
  const tail = number.toString(16).padStart(12, '0');
  return fromUUID(`${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${tail}`, prefix);
}
