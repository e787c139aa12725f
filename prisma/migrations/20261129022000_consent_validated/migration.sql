-- Checks that the existing rows satisfy the constraints. Writes are not blocked during these checks.
ALTER TABLE "bookings" VALIDATE CONSTRAINT "bookings_consent_source";
ALTER TABLE "bookings" VALIDATE CONSTRAINT "bookings_consent_text_version";
ALTER TABLE "bookings" VALIDATE CONSTRAINT "bookings_consent_withdrawn";
