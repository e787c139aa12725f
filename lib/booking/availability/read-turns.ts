import { type Reader, readInTurn } from '../read-turns';

/**
 * In specialist days (days × specialists). A read of this size takes about as long as any other request. One of
 * `MEDIUM_DAYS` can share a query with others.
 */
const SMALL_DAYS = 25;
export const MEDIUM_DAYS = 100;

/** Calls `read` of `days` specialist days. A medium or wide read first waits for its turn (see `readInTurn`). */
export function readSlotsInTurn<T>(reader: Reader, days: number, read: () => Promise<T>): Promise<T> {
  if (days <= SMALL_DAYS) return read();
  return readInTurn(days > MEDIUM_DAYS ? 'wide availability' : 'medium availability', reader, read);
}
