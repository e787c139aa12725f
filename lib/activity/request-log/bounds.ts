import { idBound, timeOfId } from '@/lib/platform/ids';

/**
 * Maximum milliseconds between the timestamp in a request id and the time of its log entry. The same process sets both,
 * so clock differences between instances do not matter.
 */
const TOLERANCE = 60_000;

/**
 * Returns request id bounds for the log entries from `from` (inclusive) to `to` (exclusive), with which a query reads
 * only the partitions of these days.
 */
export function requestIdsBetween(from: Date, to: Date): { first: string; end: string } {
  return { first: requestIdsFrom(from), end: idBound('req', new Date(to.getTime() + TOLERANCE)) };
}

/** Returns the lower request id bound for log entries at or after `from`. */
export function requestIdsFrom(from: Date): string {
  return idBound('req', new Date(Math.max(0, from.getTime() - TOLERANCE)));
}

/** Returns the earliest possible time of this request's log entry. */
export function earliestTimeOf(requestId: string): Date {
  return new Date(timeOfId(requestId).getTime() - TOLERANCE);
}
