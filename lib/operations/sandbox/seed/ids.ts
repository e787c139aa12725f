import { fromUUID } from 'typeid-js';
import type { IdPrefix } from '@/lib/platform/ids';

/** The timestamp in all sandbox ids in Unix milliseconds. They sort before generated ones. */
const EPOCH = Date.UTC(2025, 0, 1);

/**
 * Returns the id of a sandbox record (1 to 99999), a valid TypeID (contract B1), the same on every machine and after
 * every reset. The order of the ids is the order of the numbers.
 */
export function sandboxId(prefix: IdPrefix, number: number): string {
  const time = (EPOCH + number * 1000).toString(16).padStart(12, '0');
  const tail = number.toString(16).padStart(12, '0');
  return fromUUID(`${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${tail}`, prefix);
}
