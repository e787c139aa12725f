-- Lets the job find the bookings whose local start or end is missing, or belongs to an earlier version of the booking.
CREATE INDEX CONCURRENTLY "bookings_without_local_times" ON "bookings" ("reference")
  WHERE "local_version" IS DISTINCT FROM "version" OR "end_time" IS NULL;
