-- The session of the process that holds a lease. Leases of an earlier version have none, and end by time only.
-- `handed_at` stated when a delivery was dispatched to Inngest. Nothing reads it any more.
ALTER TABLE "deliveries" ADD COLUMN "leased_by" INTEGER,
DROP COLUMN "handed_at";
