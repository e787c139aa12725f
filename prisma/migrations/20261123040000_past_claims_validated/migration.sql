-- Reads every booking once, which takes some seconds per million. Requests can read and write bookings meanwhile. This
-- is a separate migration, because the previous migration holds a lock on the table until it commits.
ALTER TABLE "bookings" VALIDATE CONSTRAINT "bookings_seat";
ALTER TABLE "bookings" VALIDATE CONSTRAINT "bookings_claim_removal";
