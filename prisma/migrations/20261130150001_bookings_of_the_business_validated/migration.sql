ALTER TABLE "bookings" VALIDATE CONSTRAINT "bookings_source";
ALTER TABLE "bookings" VALIDATE CONSTRAINT "bookings_note";
ALTER TABLE "events" VALIDATE CONSTRAINT "events_application";
