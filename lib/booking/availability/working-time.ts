import { DAY } from './calendar';
import type { Interval } from './intervals';
import { hoursBetween, type PreparedLocation, type PreparedSpecialist } from './prepare';
import { workingBetween } from './timeline';

/**
 * When a specialist can give services at a location, at least from `range.from` to `range.to` (epoch minutes): opening
 * and working hours, without breaks and time off, as the slot engine sees them (contract B6). Merged and in order.
 */
export function workingTime(
  location: PreparedLocation,
  specialist: PreparedSpecialist,
  range: Interval,
): readonly Interval[] {
  // No zone is more than a day away from UTC, and hours last up to 24 hours, or longer over a gap.
  const from = Math.floor(range.from / DAY) - 3;
  const to = Math.floor(range.to / DAY) + 2;
  return workingBetween(specialist, { location }, hoursBetween(location.hours, location.zone, from, to), from, to);
}
