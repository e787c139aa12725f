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
      `UPDATE bookings SET starts_at = starts_at - $2::int * interval '1 minute', ends_at = ends_at - $2::int * interval '1 minute',
         date = NULL, start_time = NULL, end_date = NULL, end_time = NULL, zone_rules = NULL, local_version = NULL
       WHERE reference = ANY($1)`,
      [[references].flat(), Math.round(days * 1_440)],
    );
    await client.query('COMMIT');
  } finally {
    client.release();
  }
}
