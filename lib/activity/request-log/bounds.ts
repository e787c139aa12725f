import { idBound, timeOfId } from '@/lib/platform/ids';

/** Milliseconds. The same process sets both times, so clock differences between instances do not matter. */
const TOLERANCE = 60_000;

/**
 * Returns bounds for the request ids of log entries from `from` (inclusive) to `to` (exclusive). A query with these
 * bounds reads only the partitions of the days from `from` to `to`.
 */
export function requestIdsBetween(from: Date, to: Date): { first: string; end: string } {
  return { first: requestIdsFrom(from), end: idBound('req', new Date(to.getTime() + TOLERANCE)) };
}

/** Returns the lower bound for the request ids of log entries at or after `from`. */
export function requestIdsFrom(from: Date): string {
  return idBound('req', new Date(Math.max(0, from.getTime() - TOLERANCE)));
}

/** Returns the earliest possible time of the log entry of a request. */
export function earliestTimeOf(requestId: string): Date {
  return new Date(timeOfId(requestId).getTime() - TOLERANCE);
}
