import { DAY } from '@/lib/platform/time-zones';
import type { Interval } from './intervals';
import { hoursBetween, type PreparedLocation, type PreparedSpecialist } from './prepare';
import { workingBetween } from './timeline';

/** Returns the intervals in which a location is open, sorted and disjoint: all in `range` (epoch minutes), and possibly more. */
export function openTime({ hours, zone }: PreparedLocation, range: Interval): readonly Interval[] {
  const { from, to } = daysOf(range);
  return hoursBetween(hours, zone, from, to);
}

/**
 * Returns the intervals in which a specialist works at a location (contract B6), sorted and disjoint: all in `range`
 * (epoch minutes), and possibly more.
 */
export function workingTime(
  location: PreparedLocation,
  specialist: PreparedSpecialist,
  range: Interval,
): readonly Interval[] {
  const { from, to } = daysOf(range);
  return workingBetween(specialist, { location }, hoursBetween(location.hours, location.zone, from, to), from, to);
}

function daysOf({ from, to }: Interval): Interval {
  // UTC days differ from local days by at most one. A working interval that extends into the range can start up to two
  // days earlier (see `buildTimelines`).
  return { from: Math.floor(from / DAY) - 3, to: Math.floor(to / DAY) + 2 };
}
