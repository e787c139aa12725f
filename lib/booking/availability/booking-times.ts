import { canonicalZone, formatInstant, formatLocal, type LocalInstant, storedZone } from '@/lib/platform/time-zones';

/** `date` and `start_time` are null until they are derived. */
type StoredStart = { starts_at: Date; time_zone: string; date: string | null; start_time: string | null };

/** The local date and time of the end are null until they are derived. */
type Stored = StoredStart & { ends_at: Date; end_date: string | null; end_time: string | null };

/** Returns the local date and time of a booking's start, which the customer was told. */
export function bookingStart(row: StoredStart): { date: string; start_time: string } {
  const { date, time } = localStart(row);
  return { date, start_time: time };
}

/**
 * Returns the times of a booking (contract B1) in its time zone. The stored ones are what the customer was told, so the
 * rules of this process change none.
 */
export function bookingTimes(row: Stored) {
  const start = localStart(row);
  const end = localEnd(row);
  return {
    date: start.date,
    start_time: start.time,
    end_time: end.time,
    starts_at: start.rfc3339,
    ends_at: end.rfc3339,
    time_zone: canonicalZone(row.time_zone) ?? row.time_zone,
  };
}

function localStart({ starts_at, time_zone, date, start_time }: StoredStart): LocalInstant {
  const instant = starts_at.getTime() / 60_000;
  return date && start_time ? formatLocal(date, start_time, instant) : formatInstant(storedZone(time_zone), instant);
}

function localEnd({ ends_at, time_zone, end_date, end_time }: Stored): LocalInstant {
  const instant = ends_at.getTime() / 60_000;
  return end_date && end_time
    ? formatLocal(end_date, end_time, instant)
    : formatInstant(storedZone(time_zone), instant);
}
