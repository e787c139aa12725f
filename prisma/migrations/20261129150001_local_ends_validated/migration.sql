ALTER TABLE "bookings" VALIDATE CONSTRAINT "bookings_local_end";
