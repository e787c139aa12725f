-- The local date and time of a booking, which the customer was told, and the release of the time zone rules with which
-- the instants agree with them (null: unknown rules of an earlier version). The columns are nullable, because an old server does not write them during an upgrade.
-- The servers derive them for the bookings that exist: only they have the rules of the release.
ALTER TABLE "bookings" ADD COLUMN "date" DATE;
ALTER TABLE "bookings" ADD COLUMN "start_time" TIME(0);
ALTER TABLE "bookings" ADD COLUMN "zone_rules" TEXT;
ALTER TABLE "bookings" ADD COLUMN "local_version" INTEGER;

-- The local date and time are stored together, in whole minutes. The check is validated by the next migration, so that
-- this one reads no bookings.
ALTER TABLE "bookings" ADD CONSTRAINT "bookings_local_time" CHECK (
  num_nulls("date", "start_time", "local_version") IN (0, 3)
  AND "zone_rules" ~ '^[0-9]{4}[a-z]{1,2}$' AND extract(second FROM "start_time") = 0 AND "local_version" >= 1) NOT VALID;
