import { sql } from '@/lib/platform/sql';
import { canonicalZone, formatLocal } from '@/lib/platform/time-zones';

/** The local date and time of the start of a booking `b`, as text. */
export const LOCAL_START = sql`to_char(b.date, 'YYYY-MM-DD') AS date, to_char(b.start_time, 'HH24:MI') AS start_time`;

/** Those of the start and the end. */
export const LOCAL_COLUMNS = sql`${LOCAL_START}, to_char(b.end_date, 'YYYY-MM-DD') AS end_date,
  to_char(b.end_time, 'HH24:MI') AS end_time`;

type Stored = Record<'time_zone' | 'date' | 'start_time' | 'end_date' | 'end_time', string> &
  Record<'starts_at' | 'ends_at', Date>;

/**
 * Returns the times of a booking (contract B1) in its time zone. The stored local times are what the customer was told, so the
 * rules of this process change none.
 */
export function bookingTimes(of: Stored) {
  return {
    date: of.date,
    start_time: of.start_time,
    end_time: of.end_time,
    starts_at: formatLocal(of.date, of.start_time, of.starts_at.getTime() / 60_000).rfc3339,
    ends_at: formatLocal(of.end_date, of.end_time, of.ends_at.getTime() / 60_000).rfc3339,
    time_zone: canonicalZone(of.time_zone) ?? of.time_zone,
  };
}
