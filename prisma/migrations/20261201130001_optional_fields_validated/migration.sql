ALTER TABLE "bookings" VALIDATE CONSTRAINT "bookings_customer_email";
ALTER TABLE "bookings" VALIDATE CONSTRAINT "bookings_customer_locale";
ALTER TABLE "bookings" VALIDATE CONSTRAINT "bookings_metadata";
ALTER TABLE "bookings" VALIDATE CONSTRAINT "bookings_note";
