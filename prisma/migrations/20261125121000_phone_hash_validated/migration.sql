-- Reads the existing rows without a lock that blocks writes.
ALTER TABLE "bookings" VALIDATE CONSTRAINT "bookings_phone_hash";
