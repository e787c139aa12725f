-- Finds existing bookings without hashes of the name, for the job that computes these hashes and that of the phone number. A
-- booking without the hash of its phone number has none of its name either.
CREATE INDEX CONCURRENTLY "bookings_without_name_hashes" ON "bookings"("reference")
  WHERE "name_hashes" IS NULL AND "customer_phone" IS NOT NULL;
