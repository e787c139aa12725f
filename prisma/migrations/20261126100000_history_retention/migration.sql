-- Existing tenants keep their history forever, as before this migration, because a removal cannot be undone. New
-- tenants get the default.
ALTER TABLE "tenants" ADD COLUMN "history_days" INTEGER;
ALTER TABLE "tenants" ALTER COLUMN "history_days" SET DEFAULT 365;

-- The Overview compares the bookings made in the last 30 days with those made in the 30 days before. The minimum of 90
-- days is more than these 60 days.
ALTER TABLE "tenants" ADD CONSTRAINT "tenants_history_days" CHECK (("history_days" BETWEEN 90 AND 3650) IS NOT FALSE);
