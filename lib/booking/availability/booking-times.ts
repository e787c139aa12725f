import { canonicalZone, formatInstant, formatLocal, storedZone } from '@/lib/platform/time-zones';

/** A booking's times as stored. `date` and `start_time` are null until they are derived. */
type Stored = { starts_at: Date; ends_at: Date; time_zone: string; date: string | null; start_time: string | null };

/**
 * Returns the times of a booking in the format of contract B1, in the booking's time zone. The stored local date and time
 * of the start are what the customer was told.
 */
export function bookingTimes(row: Stored) {
  const zone = storedZone(row.time_zone);
  const startsAt = row.starts_at.getTime() / 60_000;
  const { date, start_time } = row;
  const start = date && start_time ? formatLocal(date, start_time, startsAt) : formatInstant(zone, startsAt);
  const end = formatInstant(zone, row.ends_at.getTime() / 60_000);
  return {
    date: start.date,
    start_time: start.time,
    end_time: end.time,
    starts_at: start.rfc3339,
    ends_at: end.rfc3339,
    time_zone: canonicalZone(row.time_zone) ?? row.time_zone,
  };
}
