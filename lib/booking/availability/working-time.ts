import { DAY } from './calendar';
import type { Interval } from './intervals';
import { hoursBetween, type PreparedLocation, type PreparedSpecialist } from './prepare';
import { workingBetween } from './timeline';

/**
 * Returns the working time of a specialist at a location, at least from `range.from` to `range.to` (epoch minutes): the
 * same intervals as the slot engine uses (contract B6), merged and in order.
 */
export function workingTime(
  location: PreparedLocation,
  specialist: PreparedSpecialist,
  range: Interval,
): readonly Interval[] {
  // Every time zone is less than a day from UTC, and hours last up to 24 hours, or longer over a gap.
  const from = Math.floor(range.from / DAY) - 3;
  const to = Math.floor(range.to / DAY) + 2;
  return workingBetween(specialist, { location }, hoursBetween(location.hours, location.zone, from, to), from, to);
}
