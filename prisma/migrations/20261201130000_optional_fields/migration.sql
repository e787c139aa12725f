-- The optional fields of a booking (contract B19). They can contain what the contact contains, so they are erased together
-- with it. The checks are validated by the next migration, so that this one reads no rows.
ALTER TABLE "bookings" ADD COLUMN "customer_email" BYTEA, ADD COLUMN "customer_locale" TEXT, ADD COLUMN "metadata" BYTEA;
ALTER TABLE "bookings" ADD CONSTRAINT "bookings_customer_email" CHECK ("customer_email" IS NULL OR (
  "customer_phone" IS NOT NULL AND octet_length("customer_email") BETWEEN 1 AND 512)) NOT VALID;
ALTER TABLE "bookings" ADD CONSTRAINT "bookings_customer_locale" CHECK ("customer_locale" IS NULL OR (
  "customer_phone" IS NOT NULL AND char_length("customer_locale") BETWEEN 1 AND 100)) NOT VALID;
-- The body of a request has at most 16 KiB.
ALTER TABLE "bookings" ADD CONSTRAINT "bookings_metadata" CHECK ("metadata" IS NULL OR (
  "customer_phone" IS NOT NULL AND octet_length("metadata") BETWEEN 1 AND 20480)) NOT VALID;

-- Partners write notes too. In one statement, so that the table never is without the check.
ALTER TABLE "bookings" DROP CONSTRAINT "bookings_note", ADD CONSTRAINT "bookings_note" CHECK ("note" IS NULL OR (
  "customer_phone" IS NOT NULL AND octet_length("note") BETWEEN 1 AND 8192)) NOT VALID;

-- Erases the new columns too. Servers of an earlier version erase only the columns that they know.
CREATE OR REPLACE FUNCTION "erase_phone_hash"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW."phone_hash" := NULL;
  NEW."name_hashes" := NULL;
  NEW."customer_email" := NULL;
  NEW."customer_locale" := NULL;
  NEW."note" := NULL;
  NEW."metadata" := NULL;
  RETURN NEW;
END $$;
