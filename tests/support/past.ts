import { pool } from '@/lib/platform/db';

/** With their claims, but not their events and log entries. */
export async function moveToPast(references: string | string[], days = 30): Promise<void> {
  const client = await pool().connect();
  try {
    await client.query('BEGIN');
    await client.query(
      `UPDATE slot_claims c SET starts_at = c.starts_at - $2::int * interval '1 minute', ends_at = c.ends_at - $2::int * interval '1 minute',
         during = tstzrange(lower(during) - $2::int * interval '1 minute', upper(during) - $2::int * interval '1 minute')
       FROM bookings b WHERE b.reference = ANY($1) AND b.claim_id = c.id`,
      [[references].flat(), Math.round(days * 1_440)],
    );
    await client.query(
      `WITH moved AS (
         SELECT reference, starts_at - $2::int * interval '1 minute' AS starts, ends_at - $2::int * interval '1 minute' AS ends
         FROM bookings WHERE reference = ANY($1)
       )
       UPDATE bookings b SET starts_at = starts, ends_at = ends, date = starts AT TIME ZONE time_zone,
         start_time = starts AT TIME ZONE time_zone, end_date = ends AT TIME ZONE time_zone, end_time = ends AT TIME ZONE time_zone
       FROM moved WHERE moved.reference = b.reference`,
      [[references].flat(), Math.round(days * 1_440)],
    );
    await client.query('COMMIT');
  } finally {
    client.release();
  }
}
