ALTER TABLE "bookings" VALIDATE CONSTRAINT "bookings_name_hashes";
