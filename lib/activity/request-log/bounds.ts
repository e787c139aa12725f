import { idBound } from '@/lib/platform/ids';

/** Milliseconds by which the time in an id may differ from the time of its log entry. Both come from one process. */
const TOLERANCE = 60_000;

/**
 * Returns the bounds of the request ids of log entries between two times, the second one exclusive. A query that states
 * them reads only the partitions of these days.
 */
export function requestIdsBetween(from: Date, to: Date): { first: string; end: string } {
  return { first: requestIdsFrom(from), end: idBound('req', new Date(to.getTime() + TOLERANCE)) };
}

/** Returns the lower bound of the request ids of log entries from a time on. */
export function requestIdsFrom(from: Date): string {
  return idBound('req', new Date(Math.max(0, from.getTime() - TOLERANCE)));
}
