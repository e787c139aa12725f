import { DAY } from '@/lib/platform/time-zones';
import type { Interval } from './intervals';
import { hoursBetween, type PreparedLocation, type PreparedSpecialist } from './prepare';
import { workingBetween } from './timeline';

/**
 * Returns the intervals in which a specialist works at a location (contract B6), sorted and disjoint: all in `range`
 * (epoch minutes), and possibly more.
 */
export function workingTime(
  location: PreparedLocation,
  specialist: PreparedSpecialist,
  range: Interval,
): readonly Interval[] {
  // UTC days differ from local days by at most one. A working interval that extends into the range can start up to two
  // days earlier (see `buildTimelines`).
  const from = Math.floor(range.from / DAY) - 3;
  const to = Math.floor(range.to / DAY) + 2;
  return workingBetween(specialist, { location }, hoursBetween(location.hours, location.zone, from, to), from, to);
}
