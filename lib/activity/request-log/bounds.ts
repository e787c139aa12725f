import { idBound, timeOfId } from '@/lib/platform/ids';

/**
 * Maximum milliseconds between the timestamp in a request id and the time of its log entry. One process sets both
 * values, so the clocks of different instances do not have to agree.
 */
const TOLERANCE = 60_000;

/**
 * Returns bounds for the request ids of the log entries from `from` (inclusive) to `to` (exclusive). A query that
 * includes these bounds reads only the partitions of the days between the two times.
 */
export function requestIdsBetween(from: Date, to: Date): { first: string; end: string } {
  return { first: requestIdsFrom(from), end: idBound('req', new Date(to.getTime() + TOLERANCE)) };
}

/** Returns the lower bound for the request ids of all log entries at or after a time. */
export function requestIdsFrom(from: Date): string {
  return idBound('req', new Date(Math.max(0, from.getTime() - TOLERANCE)));
}

/** Returns the earliest possible time of the log entry with this request id. */
export function earliestTimeOf(requestId: string): Date {
  return new Date(timeOfId(requestId).getTime() - TOLERANCE);
}
