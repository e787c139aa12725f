-- Reads every booking once, some seconds per million. Requests read and write bookings meanwhile. A migration of its own:
-- the one before holds a lock on bookings until it commits.
ALTER TABLE "bookings" VALIDATE CONSTRAINT "bookings_seat";
ALTER TABLE "bookings" VALIDATE CONSTRAINT "bookings_claim_removal";
