-- Checks the existing rows for the constraint of the previous migration, without a lock that blocks writes.
ALTER TABLE "bookings" VALIDATE CONSTRAINT "bookings_local_known";
