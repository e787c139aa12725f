-- Checks that the existing rows satisfy the constraints. Writes are not blocked during this check.
ALTER TABLE "bookings" VALIDATE CONSTRAINT "bookings_price_complete";
ALTER TABLE "bookings" VALIDATE CONSTRAINT "bookings_price_amount";
ALTER TABLE "bookings" VALIDATE CONSTRAINT "bookings_price_currency";
