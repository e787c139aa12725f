-- Checks that the existing rows satisfy the constraint. Writes are not blocked during this check.
ALTER TABLE "bookings" VALIDATE CONSTRAINT "bookings_phone_hash";
