-- Completing visits: automatically after some hours, if the business wants it, and undone within a day (contract B7).
--
-- This migration blocks writes only for milliseconds, because it does not read existing rows. The next migration checks
-- existing rows, without a lock that blocks writes.
BEGIN;
ALTER TABLE "tenants" ADD COLUMN IF NOT EXISTS "complete_after_hours" INTEGER,
  ADD COLUMN IF NOT EXISTS "complete_since" TIMESTAMPTZ(3);

-- At least an hour, so that the front desk can mark a no-show, and at most 30 days. The second column bounds which visits
-- the job completes.
ALTER TABLE "tenants" DROP CONSTRAINT IF EXISTS "tenants_complete_after";
ALTER TABLE "tenants" ADD CONSTRAINT "tenants_complete_after" CHECK (
  ("complete_after_hours" BETWEEN 1 AND 720) IS NOT FALSE
  AND ("complete_after_hours" IS NULL) = ("complete_since" IS NULL));
COMMIT;

BEGIN;
ALTER TABLE "bookings" ADD COLUMN IF NOT EXISTS "reopened_at" TIMESTAMPTZ(3);

-- Version 1 is the create, version 2 the completion or the no-show, and version 3 the first that can be reopened.
ALTER TABLE "bookings" DROP CONSTRAINT IF EXISTS "bookings_reopened";
ALTER TABLE "bookings" ADD CONSTRAINT "bookings_reopened" CHECK ("reopened_at" IS NULL OR "version" >= 3) NOT VALID;

-- A cancellation is final, because the seat is free for others. A completed booking and a no-show change only back to
-- confirmed, and then state when.
CREATE OR REPLACE FUNCTION "refuse_status"() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog AS $$
BEGIN
  RAISE EXCEPTION 'the status of the booking is final' USING ERRCODE = 'check_violation', CONSTRAINT = 'bookings_final';
END $$;
CREATE OR REPLACE TRIGGER "bookings_final" BEFORE UPDATE OF "status" ON "bookings" FOR EACH ROW
  WHEN (OLD."status" <> NEW."status" AND OLD."status" <> 'confirmed' AND (OLD."status" = 'cancelled'
    OR NEW."status" <> 'confirmed' OR NEW."reopened_at" IS NOT DISTINCT FROM OLD."reopened_at"))
  EXECUTE FUNCTION "refuse_status"();
COMMIT;
