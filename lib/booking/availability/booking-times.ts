import { formatInstant } from './local-time';
import { zoneOf } from './zone';

/** Returns the times of a booking in the format of contract B1, in the booking's time zone. */
export function bookingTimes(row: { starts_at: Date; ends_at: Date; time_zone: string }) {
  const zone = zoneOf(row.time_zone);
  const start = formatInstant(zone, row.starts_at.getTime() / 60_000);
  const end = formatInstant(zone, row.ends_at.getTime() / 60_000);
  return {
    date: start.date,
    start_time: start.time,
    end_time: end.time,
    starts_at: start.rfc3339,
    ends_at: end.rfc3339,
    time_zone: row.time_zone,
  };
}
