-- The limits that the operator sets for a tenant. Null means no limit. This migration blocks requests only for
-- milliseconds, because the columns are nullable and have no default, and the constraint checks only a small table.
ALTER TABLE "tenants"
  ADD COLUMN "max_applications" INTEGER,
  ADD COLUMN "max_locations" INTEGER,
  ADD COLUMN "max_requests_per_minute" INTEGER;

ALTER TABLE "tenants" ADD CONSTRAINT "tenants_limits" CHECK (
  ("max_applications" BETWEEN 1 AND 1000000) IS NOT FALSE
  AND ("max_locations" BETWEEN 1 AND 1000000) IS NOT FALSE
  AND ("max_requests_per_minute" BETWEEN 1 AND 1000000) IS NOT FALSE
);
