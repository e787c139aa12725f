-- The response to a partner's test event is stored for replays, like the response to a write of a booking (contract
-- B14). It belongs to no booking.
--
-- The new constraint does not check the existing rows. The next migration checks them, without a lock that blocks
-- writes.
ALTER TABLE "idempotency_keys" DROP CONSTRAINT "idempotency_keys_success";

-- Only successful responses are stored, each with status and data (contract B8). A row with a response also has the
-- reference of a booking, unless it is the response to a test event (202).
ALTER TABLE "idempotency_keys" ADD CONSTRAINT "idempotency_keys_success" CHECK (
  ("status" IS NULL) = ("response" IS NULL) AND ("status" IN (200, 201, 202)) IS NOT FALSE
  AND ("booking_reference" IS NOT NULL) = COALESCE("status" IN (200, 201), FALSE)) NOT VALID;
