-- Every booking has its local times (decision 29), so that no server derives them when it reads.
--
-- This migration blocks writes only for milliseconds, because it reads only the bookings in a partial index. The next
-- migration checks existing rows, without a lock that blocks writes.
BEGIN;
DO $$
BEGIN
  IF EXISTS (SELECT FROM "bookings" WHERE "local_version" IS DISTINCT FROM "version" OR "end_time" IS NULL) THEN
    RAISE EXCEPTION 'bookings lack their local times: correct time zones that are unknown, and run the last version 0.1.0 until its job local_times has stored them';
  END IF;
END $$;

-- The other local columns are null together with this one (bookings_local_end, bookings_local_time).
ALTER TABLE "bookings" DROP CONSTRAINT IF EXISTS "bookings_local_known";
ALTER TABLE "bookings" ADD CONSTRAINT "bookings_local_known" CHECK ("end_time" IS NOT NULL) NOT VALID;
COMMIT;
