import { DAY } from './calendar';
import type { Interval } from './intervals';
import { hoursBetween, type PreparedLocation, type PreparedSpecialist } from './prepare';
import { workingBetween } from './timeline';

/**
 * Returns the intervals in which a specialist works at a location, sorted and disjoint. They cover at least `range`
 * (epoch minutes) and are the same as in the slot engine (contract B6).
 */
export function workingTime(
  location: PreparedLocation,
  specialist: PreparedSpecialist,
  range: Interval,
): readonly Interval[] {
  // The divisions give UTC days, from which local days differ by at most one. Hours that start earlier can extend into
  // the range: they last up to 24 hours, or longer over a gap.
  const from = Math.floor(range.from / DAY) - 3;
  const to = Math.floor(range.to / DAY) + 2;
  return workingBetween(specialist, { location }, hoursBetween(location.hours, location.zone, from, to), from, to);
}
