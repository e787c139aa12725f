-- The local date and time of the end of a booking, which the customer was told. With other time zone rules, the same instant
-- is another local time. The columns are nullable, because an old server does not write them during an upgrade. The
-- servers fill them for the bookings that exist: only they have the rules of the release.
ALTER TABLE "bookings" ADD COLUMN "end_date" DATE;
ALTER TABLE "bookings" ADD COLUMN "end_time" TIME(0);

-- The local end is stored as a whole, in whole minutes, and only with the local start. The check is validated by the next
-- migration, so that this one reads no bookings.
ALTER TABLE "bookings" ADD CONSTRAINT "bookings_local_end" CHECK (
  num_nulls("end_date", "end_time") IN (0, 2) AND extract(second FROM "end_time") = 0
  AND ("end_time" IS NULL OR "start_time" IS NOT NULL)) NOT VALID;
