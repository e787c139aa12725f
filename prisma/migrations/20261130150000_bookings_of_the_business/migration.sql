-- Bookings that the business makes itself, for example for a caller. Such a booking has no application, so no query of a
-- partner returns it. The checks are validated by the next migration, so that this one reads no rows.
CREATE TYPE "BookingSource" AS ENUM ('partner', 'business');
ALTER TABLE "bookings" ADD COLUMN "source" "BookingSource" NOT NULL DEFAULT 'partner';
ALTER TABLE "bookings" ALTER COLUMN "application_id" DROP NOT NULL;
ALTER TABLE "bookings" ADD CONSTRAINT "bookings_source"
  CHECK (("source" = 'business') = ("application_id" IS NULL)) NOT VALID;

-- Only the business writes notes. A note can contain what the contact contains, so it is erased together with it.
ALTER TABLE "bookings" ADD COLUMN "note" BYTEA;
ALTER TABLE "bookings" ADD CONSTRAINT "bookings_note" CHECK ("note" IS NULL OR (
  "source" = 'business' AND "customer_phone" IS NOT NULL AND octet_length("note") BETWEEN 1 AND 8192)) NOT VALID;

-- Erases the note, as well as the hash, together with the phone number. Servers of an earlier version erase only the
-- number, because they do not know the note.
CREATE OR REPLACE FUNCTION "erase_phone_hash"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW."phone_hash" := NULL;
  NEW."note" := NULL;
  RETURN NEW;
END $$;

-- An event of a booking of the business has no application either. A test event always has one.
ALTER TABLE "events" ALTER COLUMN "application_id" DROP NOT NULL;
ALTER TABLE "events" ADD CONSTRAINT "events_application"
  CHECK ("application_id" IS NOT NULL OR "booking_reference" IS NOT NULL) NOT VALID;
