-- Adds the price of a booking: the service's price per seat when the booking was made (contract B7). Existing bookings
-- have none, because the price at that time is not known.
--
-- Writes wait only milliseconds for this migration: the columns are nullable and have no default, and the checks do not
-- read existing rows. The next migration validates the checks.
ALTER TABLE "bookings" ADD COLUMN "price_amount" INTEGER, ADD COLUMN "price_currency" TEXT;

-- A price has an amount and a currency.
ALTER TABLE "bookings" ADD CONSTRAINT "bookings_price_complete"
  CHECK (("price_amount" IS NULL) = ("price_currency" IS NULL)) NOT VALID;

-- A price is never negative.
ALTER TABLE "bookings" ADD CONSTRAINT "bookings_price_amount" CHECK ("price_amount" >= 0) NOT VALID;

-- The format of an ISO 4217 code. The list of codes is not in the database, because it changes with amendments.
ALTER TABLE "bookings" ADD CONSTRAINT "bookings_price_currency" CHECK ("price_currency" ~ '^[A-Z]{3}$') NOT VALID;
