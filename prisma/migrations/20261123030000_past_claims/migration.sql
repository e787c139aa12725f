-- Retention removes the claims of past bookings, so that the tables that availability reads do not grow with the years.
--
-- This migration blocks writes only for milliseconds, because it does not read existing rows. The next migration checks
-- existing rows, without a lock that blocks writes.
ALTER TABLE "bookings" ADD COLUMN "claim_removed_at" TIMESTAMPTZ(3);

-- A booking has a claim unless the booking is canceled or retention has removed the claim.
ALTER TABLE "bookings" DROP CONSTRAINT "bookings_seat";
ALTER TABLE "bookings" ADD CONSTRAINT "bookings_seat"
  CHECK (("claim_id" IS NULL) = ("status" = 'cancelled' OR "claim_removed_at" IS NOT NULL)) NOT VALID;

-- Retention must not remove a claim before the booking has ended. Otherwise, another booking could take the same time.
ALTER TABLE "bookings" ADD CONSTRAINT "bookings_claim_removal" CHECK (("claim_removed_at" > "ends_at") IS NOT FALSE) NOT VALID;
