-- Made by Prisma Migrate, then edited: what Prisma cannot express stands here with its reason.

-- AlterTable
ALTER TABLE "tenants" ADD COLUMN "request_log_days" INTEGER NOT NULL DEFAULT 30,
ADD COLUMN "contact_days" INTEGER DEFAULT 365,
ADD COLUMN "delivery_days" INTEGER NOT NULL DEFAULT 30;

-- The pages search 30 days; a replay reaches 14 days back (contract B11), so no delivery goes before that.
ALTER TABLE "tenants" ADD CONSTRAINT "tenants_retention" CHECK ("request_log_days" BETWEEN 1 AND 30
  AND ("contact_days" BETWEEN 1 AND 3650) IS NOT FALSE AND "delivery_days" BETWEEN 14 AND 365);

-- What is due to be anonymised, oldest first. What was leaves the index: looking again reads nothing twice.
CREATE INDEX "bookings_tenant_id_ends_at_idx" ON "bookings"("tenant_id", "ends_at") WHERE "customer_name" IS NOT NULL;

-- What is due to be deleted, oldest first; a delivery under way does not pay for it.
CREATE INDEX "deliveries_tenant_id_finished_at_idx" ON "deliveries"("tenant_id", "finished_at") WHERE "finished_at" IS NOT NULL;
