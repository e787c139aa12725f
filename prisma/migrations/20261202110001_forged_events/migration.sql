-- A server of an earlier version sends such an event with a genuine signature.
ALTER TABLE "deliveries" ADD COLUMN "forged" BOOLEAN NOT NULL DEFAULT false;

-- Only test events are forged. The next migration checks the existing rows.
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_forged" CHECK ("test" OR NOT "forged") NOT VALID;
