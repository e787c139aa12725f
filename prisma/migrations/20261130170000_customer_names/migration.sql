-- Whether owners and the front desk see the names of customers in lists and schedules.
ALTER TABLE "tenants" ADD COLUMN "shows_customer_names" BOOLEAN NOT NULL DEFAULT false;

-- Adds hashes of the words of a customer's name, by which bookings are found. They are keyed like the hash of the phone
-- number. The column is nullable and has no default, and the check does not read existing rows. A job computes the hashes
-- of existing bookings. The next migration validates the check.
ALTER TABLE "bookings" ADD COLUMN "name_hashes" BYTEA[];
ALTER TABLE "bookings" ADD CONSTRAINT "bookings_name_hashes" CHECK ("name_hashes" IS NULL OR ("customer_name" IS NOT NULL
  AND cardinality("name_hashes") <= 8 AND array_position("name_hashes", NULL) IS NULL
  AND 8 = ALL (ARRAY[octet_length("name_hashes"[1]), octet_length("name_hashes"[2]), octet_length("name_hashes"[3]),
    octet_length("name_hashes"[4]), octet_length("name_hashes"[5]), octet_length("name_hashes"[6]),
    octet_length("name_hashes"[7]), octet_length("name_hashes"[8])]))) NOT VALID;

-- Erases the hashes together with the phone number and the name, which are erased together. Servers of an earlier version
-- do not know the column.
CREATE OR REPLACE FUNCTION "erase_phone_hash"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW."phone_hash" := NULL;
  NEW."name_hashes" := NULL;
  NEW."note" := NULL;
  RETURN NEW;
END $$;
