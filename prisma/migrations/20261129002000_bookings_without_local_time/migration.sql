-- Lets the job find the bookings whose local date and time are missing, or belong to an earlier version of the booking.
CREATE INDEX CONCURRENTLY "bookings_without_local_time" ON "bookings" ("reference")
  WHERE "local_version" IS DISTINCT FROM "version";
