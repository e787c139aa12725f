import { DAY, formatInstant } from '@/lib/platform/time-zones';
import { hoursBetween, type Interval, intersectIntervals } from '../availability/input';
import { workingTime } from '../availability/slots';
import { snapshotOf } from '../catalog/snapshot';

/** Minutes on a time axis, and local times. */
export type Hours = { start_minute: number; end_minute: number; start_time: string; end_time: string };

/** Working hours are without breaks and time off (contract B6), by id of published specialists with an offering here. */
export type DayHours = { opening: Hours[]; working: ReadonlyMap<string, Hours[]> };

/** Epoch minutes to a minute on the time axis of the schedule. */
export type MinuteOf = (instant: number) => number;

/** Returns the hours on a local day, whose bounds are in epoch minutes. An unpublished location is closed. */
export async function hoursOfDay(
  tenantId: string,
  locationId: string,
  day: Interval,
  minuteOf: MinuteOf,
): Promise<DayHours> {
  const { schedules, offerings } = await snapshotOf(tenantId);
  const location = schedules.locations.get(locationId);
  if (!location) return { opening: [], working: new Map() };
  const { zone } = location;
  const shown = (intervals: readonly Interval[]) =>
    intersectIntervals(intervals, [day]).map(({ from, to }) => ({
      start_minute: minuteOf(from),
      end_minute: minuteOf(to),
      start_time: formatInstant(zone, from).time,
      end_time: formatInstant(zone, to).time,
    }));
  // Local days differ from UTC days, and hours can extend past midnight.
  const opening = hoursBetween(location.hours, zone, Math.floor(day.from / DAY) - 3, Math.floor(day.to / DAY) + 2);
  const services = offerings.flatMap((offering) => (offering.locationId === locationId ? [offering.serviceId] : []));
  const specialists = [...new Set(services)].flatMap((serviceId) => schedules.offering(serviceId, locationId));
  const working = new Map(specialists.map((specialist) => [specialist.id, specialist]));
  return {
    opening: shown(opening),
    working: new Map([...working].map(([id, one]) => [id, shown(workingTime(location, one, day))])),
  };
}
