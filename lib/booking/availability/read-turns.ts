import { type Reader, readInTurn } from '../read-turns';

/**
 * Sizes of availability reads in specialist days (days × specialists). A read of at most `SMALL_DAYS` takes about as
 * long as any other request. A read of at most `MEDIUM_DAYS` can share a query with others. A larger read is wide.
 */
const SMALL_DAYS = 25;
export const MEDIUM_DAYS = 100;

/**
 * Calls `read`. A medium or wide read first waits for its turn (see `readInTurn`).
 * @param days the size of the read in specialist days.
 */
export function readSlotsInTurn<T>(reader: Reader, days: number, read: () => Promise<T>): Promise<T> {
  if (days <= SMALL_DAYS) return read();
  return readInTurn(days > MEDIUM_DAYS ? 'wide availability' : 'medium availability', reader, read);
}
