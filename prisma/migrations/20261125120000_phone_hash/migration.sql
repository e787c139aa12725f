-- Adds a hash of the customer's phone number. When a customer calls, this hash is used to find the customer's bookings.
-- It is computed from the number, the tenant's id, and a secret that is not in the database. It thus reveals neither
-- the number nor whether two businesses have the same customer.
--
-- Writes wait only milliseconds for this migration: the column is nullable and has no default, and the check does not
-- read existing rows. A job computes the hashes of existing bookings. The next migration validates the check.
ALTER TABLE "bookings" ADD COLUMN "phone_hash" BYTEA;
ALTER TABLE "bookings" ADD CONSTRAINT "bookings_phone_hash"
  CHECK ("phone_hash" IS NULL OR ("customer_phone" IS NOT NULL AND octet_length("phone_hash") = 16)) NOT VALID;

-- Erases the hash together with the phone number. Servers of an earlier version erase only the number, because they
-- do not know the hash.
CREATE FUNCTION "erase_phone_hash"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW."phone_hash" := NULL;
  RETURN NEW;
END $$;
CREATE TRIGGER "bookings_erase_phone_hash" BEFORE UPDATE OF "customer_phone" ON "bookings"
  FOR EACH ROW WHEN (NEW."customer_phone" IS NULL) EXECUTE FUNCTION "erase_phone_hash"();

-- Anonymized bookings are not in the index.
CREATE INDEX "bookings_tenant_id_phone_hash_starts_at_idx" ON "bookings"("tenant_id", "phone_hash", "starts_at")
  WHERE "phone_hash" IS NOT NULL;

-- Finds existing bookings without a phone hash, for the job that computes these hashes. After the job, the index is
-- empty, because each new booking is inserted with its hash.
CREATE INDEX "bookings_without_phone_hash" ON "bookings"("reference")
  WHERE "phone_hash" IS NULL AND "customer_phone" IS NOT NULL;
