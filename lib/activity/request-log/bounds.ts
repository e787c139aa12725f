import { idBound, timeOfId } from '@/lib/platform/ids';

/**
 * Maximum milliseconds between the timestamp in a request id and the time of its log entry. The same process sets both,
 * so differences between the clocks of instances do not matter.
 */
const TOLERANCE = 60_000;

/**
 * Returns bounds for the request ids of the log entries from one time (inclusive) to another (exclusive). A query that
 * includes these bounds reads only the partitions of the days between them.
 */
export function requestIdsBetween(from: Date, to: Date): { first: string; end: string } {
  return { first: requestIdsFrom(from), end: idBound('req', new Date(to.getTime() + TOLERANCE)) };
}

/** Returns the lower bound for the request ids of all log entries at or after a time. */
export function requestIdsFrom(from: Date): string {
  return idBound('req', new Date(Math.max(0, from.getTime() - TOLERANCE)));
}

/** Returns the earliest time that the log entry with this request id may have. */
export function earliestTimeOf(requestId: string): Date {
  return new Date(timeOfId(requestId).getTime() - TOLERANCE);
}
