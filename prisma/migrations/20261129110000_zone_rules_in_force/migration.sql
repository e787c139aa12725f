-- The time zone rules in force: the newest rules with which a server has begun to derive the bookings again. Servers with
-- other rules neither read nor sell slots. `zone_rules_derived_at` is null until all bookings are derived.
ALTER TABLE "environment" ADD COLUMN "zone_rules" TEXT;
ALTER TABLE "environment" ADD COLUMN "zone_rules_derived_at" TIMESTAMPTZ(3);

-- The versions of IANA have an order in this format only. Without rules, nothing can be derived.
ALTER TABLE "environment" ADD CONSTRAINT "environment_zone_rules" CHECK (
  ("zone_rules" ~ '^[0-9]{4}[a-z]{1,2}$') IS NOT FALSE
  AND ("zone_rules_derived_at" IS NULL OR "zone_rules" IS NOT NULL));

-- The rules with which the future bookings of a tenant were last derived again. An interrupted run continues with the
-- tenants that have other rules. Null: never, as for a new tenant.
ALTER TABLE "tenants" ADD COLUMN "zone_rules" TEXT;
ALTER TABLE "tenants" ADD CONSTRAINT "tenants_zone_rules" CHECK (("zone_rules" ~ '^[0-9]{4}[a-z]{1,2}$') IS NOT FALSE);
