-- Row-level security between tenants (docs/decisions/0027-row-level-security.md), in addition to the conditions of the
-- queries. In a table with a policy, a transaction that sets `partner_booking.tenant` sees and changes only the rows of
-- this tenant, whatever its statements say. In other transactions, the setting is null or empty, and all rows are
-- visible. Servers of earlier versions never set it, so this migration changes nothing for them. The policies do not
-- apply to the role that owns the tables.
--
-- The condition of each policy has two parts. The first checks whether the setting is null or empty. It is a subquery
-- that reads no column, so PostgreSQL computes it once per statement. The second compares the row's tenant with the
-- setting, and is computed only if the setting has a value. For a child table, it checks that the parent row is
-- visible.
--
-- Each table has a separate transaction, which holds only one exclusive lock, for milliseconds. A single transaction
-- with all locks could deadlock with requests that use several tables. If the migration fails, it can run again: each
-- part drops its policies before it creates them.

BEGIN;
DROP POLICY IF EXISTS "tenant" ON "tenants";
ALTER TABLE "tenants" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "tenants"
  USING ((SELECT coalesce(current_setting('partner_booking.tenant', true), '') = '')
    OR "id" = (SELECT current_setting('partner_booking.tenant', true)));
COMMIT;

BEGIN;
DROP POLICY IF EXISTS "tenant" ON "memberships";
ALTER TABLE "memberships" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "memberships"
  USING ((SELECT coalesce(current_setting('partner_booking.tenant', true), '') = '')
    OR "tenant_id" = (SELECT current_setting('partner_booking.tenant', true)));
COMMIT;

BEGIN;
DROP POLICY IF EXISTS "tenant" ON "saved_views";
ALTER TABLE "saved_views" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "saved_views"
  USING ((SELECT coalesce(current_setting('partner_booking.tenant', true), '') = '')
    OR "tenant_id" = (SELECT current_setting('partner_booking.tenant', true)));
COMMIT;

BEGIN;
DROP POLICY IF EXISTS "tenant" ON "sign_ins";
ALTER TABLE "sign_ins" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "sign_ins"
  USING ((SELECT coalesce(current_setting('partner_booking.tenant', true), '') = '')
    OR "tenant_id" = (SELECT current_setting('partner_booking.tenant', true)));
COMMIT;

BEGIN;
DROP POLICY IF EXISTS "tenant" ON "invitations";
ALTER TABLE "invitations" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "invitations"
  USING ((SELECT coalesce(current_setting('partner_booking.tenant', true), '') = '')
    OR "tenant_id" = (SELECT current_setting('partner_booking.tenant', true)));
COMMIT;

BEGIN;
DROP POLICY IF EXISTS "tenant" ON "locations";
ALTER TABLE "locations" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "locations"
  USING ((SELECT coalesce(current_setting('partner_booking.tenant', true), '') = '')
    OR "tenant_id" = (SELECT current_setting('partner_booking.tenant', true)));
COMMIT;

BEGIN;
DROP POLICY IF EXISTS "tenant" ON "services";
ALTER TABLE "services" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "services"
  USING ((SELECT coalesce(current_setting('partner_booking.tenant', true), '') = '')
    OR "tenant_id" = (SELECT current_setting('partner_booking.tenant', true)));
COMMIT;

BEGIN;
DROP POLICY IF EXISTS "tenant" ON "specialists";
ALTER TABLE "specialists" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "specialists"
  USING ((SELECT coalesce(current_setting('partner_booking.tenant', true), '') = '')
    OR "tenant_id" = (SELECT current_setting('partner_booking.tenant', true)));
COMMIT;

BEGIN;
DROP POLICY IF EXISTS "tenant" ON "offerings";
ALTER TABLE "offerings" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "offerings"
  USING ((SELECT coalesce(current_setting('partner_booking.tenant', true), '') = '')
    OR "tenant_id" = (SELECT current_setting('partner_booking.tenant', true)));
COMMIT;

BEGIN;
DROP POLICY IF EXISTS "tenant" ON "specialist_hours";
ALTER TABLE "specialist_hours" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "specialist_hours"
  USING ((SELECT coalesce(current_setting('partner_booking.tenant', true), '') = '')
    OR "tenant_id" = (SELECT current_setting('partner_booking.tenant', true)));
COMMIT;

BEGIN;
DROP POLICY IF EXISTS "tenant" ON "specialist_exceptions";
ALTER TABLE "specialist_exceptions" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "specialist_exceptions"
  USING ((SELECT coalesce(current_setting('partner_booking.tenant', true), '') = '')
    OR "tenant_id" = (SELECT current_setting('partner_booking.tenant', true)));
COMMIT;

BEGIN;
DROP POLICY IF EXISTS "tenant" ON "applications";
ALTER TABLE "applications" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "applications"
  USING ((SELECT coalesce(current_setting('partner_booking.tenant', true), '') = '')
    OR "tenant_id" = (SELECT current_setting('partner_booking.tenant', true)));
COMMIT;

BEGIN;
DROP POLICY IF EXISTS "tenant" ON "application_locations";
ALTER TABLE "application_locations" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "application_locations"
  USING ((SELECT coalesce(current_setting('partner_booking.tenant', true), '') = '')
    OR "tenant_id" = (SELECT current_setting('partner_booking.tenant', true)));
COMMIT;

BEGIN;
DROP POLICY IF EXISTS "tenant" ON "events";
ALTER TABLE "events" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "events"
  USING ((SELECT coalesce(current_setting('partner_booking.tenant', true), '') = '')
    OR "tenant_id" = (SELECT current_setting('partner_booking.tenant', true)));
COMMIT;

BEGIN;
DROP POLICY IF EXISTS "tenant" ON "webhook_endpoints";
ALTER TABLE "webhook_endpoints" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "webhook_endpoints"
  USING ((SELECT coalesce(current_setting('partner_booking.tenant', true), '') = '')
    OR "tenant_id" = (SELECT current_setting('partner_booking.tenant', true)));
COMMIT;

BEGIN;
DROP POLICY IF EXISTS "tenant" ON "webhook_replays";
ALTER TABLE "webhook_replays" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "webhook_replays"
  USING ((SELECT coalesce(current_setting('partner_booking.tenant', true), '') = '')
    OR "tenant_id" = (SELECT current_setting('partner_booking.tenant', true)));
COMMIT;

BEGIN;
DROP POLICY IF EXISTS "tenant" ON "deliveries";
ALTER TABLE "deliveries" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "deliveries"
  USING ((SELECT coalesce(current_setting('partner_booking.tenant', true), '') = '')
    OR "tenant_id" = (SELECT current_setting('partner_booking.tenant', true)));
COMMIT;

BEGIN;
DROP POLICY IF EXISTS "tenant" ON "request_counts";
ALTER TABLE "request_counts" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "request_counts"
  USING ((SELECT coalesce(current_setting('partner_booking.tenant', true), '') = '')
    OR "tenant_id" = (SELECT current_setting('partner_booking.tenant', true)));
COMMIT;

BEGIN;
DROP POLICY IF EXISTS "tenant" ON "audit_log";
ALTER TABLE "audit_log" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "audit_log"
  USING ((SELECT coalesce(current_setting('partner_booking.tenant', true), '') = '')
    OR "tenant_id" = (SELECT current_setting('partner_booking.tenant', true)));
COMMIT;

-- Every tenant may read log entries without a tenant. Such an entry records a request with an unknown key. It contains
-- no data of a tenant, and is found only by its id.
BEGIN;
DROP POLICY IF EXISTS "tenant" ON "request_log";
ALTER TABLE "request_log" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "request_log"
  USING ((SELECT coalesce(current_setting('partner_booking.tenant', true), '') = '')
    OR "tenant_id" = (SELECT current_setting('partner_booking.tenant', true)) OR "tenant_id" IS NULL);
COMMIT;

BEGIN;
DROP POLICY IF EXISTS "tenant" ON "location_hours";
ALTER TABLE "location_hours" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "location_hours"
  USING ((SELECT coalesce(current_setting('partner_booking.tenant', true), '') = '')
    OR EXISTS (SELECT FROM "locations" WHERE "locations"."id" = "location_hours"."location_id"));
COMMIT;

BEGIN;
DROP POLICY IF EXISTS "tenant" ON "location_exceptions";
ALTER TABLE "location_exceptions" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "location_exceptions"
  USING ((SELECT coalesce(current_setting('partner_booking.tenant', true), '') = '')
    OR EXISTS (SELECT FROM "locations" WHERE "locations"."id" = "location_exceptions"."location_id"));
COMMIT;

BEGIN;
DROP POLICY IF EXISTS "tenant" ON "specialist_breaks";
ALTER TABLE "specialist_breaks" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "specialist_breaks"
  USING ((SELECT coalesce(current_setting('partner_booking.tenant', true), '') = '')
    OR EXISTS (SELECT FROM "specialists" WHERE "specialists"."id" = "specialist_breaks"."specialist_id"));
COMMIT;

BEGIN;
DROP POLICY IF EXISTS "tenant" ON "specialist_time_off";
ALTER TABLE "specialist_time_off" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "specialist_time_off"
  USING ((SELECT coalesce(current_setting('partner_booking.tenant', true), '') = '')
    OR EXISTS (SELECT FROM "specialists" WHERE "specialists"."id" = "specialist_time_off"."specialist_id"));
COMMIT;

BEGIN;
DROP POLICY IF EXISTS "tenant" ON "api_keys";
ALTER TABLE "api_keys" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "api_keys"
  USING ((SELECT coalesce(current_setting('partner_booking.tenant', true), '') = '')
    OR EXISTS (SELECT FROM "applications" WHERE "applications"."id" = "api_keys"."application_id"));
COMMIT;

BEGIN;
DROP POLICY IF EXISTS "tenant" ON "idempotency_keys";
ALTER TABLE "idempotency_keys" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "idempotency_keys"
  USING ((SELECT coalesce(current_setting('partner_booking.tenant', true), '') = '')
    OR EXISTS (SELECT FROM "applications" WHERE "applications"."id" = "idempotency_keys"."application_id"));
COMMIT;

BEGIN;
DROP POLICY IF EXISTS "tenant" ON "webhook_secrets";
ALTER TABLE "webhook_secrets" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "webhook_secrets"
  USING ((SELECT coalesce(current_setting('partner_booking.tenant', true), '') = '')
    OR EXISTS (SELECT FROM "applications" WHERE "applications"."id" = "webhook_secrets"."application_id"));
COMMIT;

BEGIN;
DROP POLICY IF EXISTS "tenant" ON "delivery_attempts";
ALTER TABLE "delivery_attempts" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "delivery_attempts"
  USING ((SELECT coalesce(current_setting('partner_booking.tenant', true), '') = '')
    OR EXISTS (SELECT FROM "deliveries" WHERE "deliveries"."id" = "delivery_attempts"."delivery_id"));
COMMIT;

-- The tables of claims and bookings have triggers instead of policies. The triggers refuse only changes, not reads.
-- Searches of these two tables use functions that are not leakproof: `&&` of ranges, `lower`, and `=` of enums. If a
-- table has a policy, PostgreSQL does not use indexes and statistics for such functions. The triggers' WHEN clauses
-- compare the tenants, so the function below is called only to refuse a row.
CREATE OR REPLACE FUNCTION "refuse_other_tenant"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the row belongs to another tenant' USING ERRCODE = 'insufficient_privilege';
END $$;

BEGIN;
CREATE OR REPLACE TRIGGER "slot_claims_insert_in_tenant" BEFORE INSERT ON "slot_claims" FOR EACH ROW
  WHEN (NEW."tenant_id" <> nullif(current_setting('partner_booking.tenant', true), ''))
  EXECUTE FUNCTION "refuse_other_tenant"();
CREATE OR REPLACE TRIGGER "slot_claims_update_in_tenant" BEFORE UPDATE ON "slot_claims" FOR EACH ROW
  WHEN (OLD."tenant_id" <> nullif(current_setting('partner_booking.tenant', true), '')
    OR NEW."tenant_id" <> nullif(current_setting('partner_booking.tenant', true), ''))
  EXECUTE FUNCTION "refuse_other_tenant"();
CREATE OR REPLACE TRIGGER "slot_claims_delete_in_tenant" BEFORE DELETE ON "slot_claims" FOR EACH ROW
  WHEN (OLD."tenant_id" <> nullif(current_setting('partner_booking.tenant', true), ''))
  EXECUTE FUNCTION "refuse_other_tenant"();
COMMIT;

BEGIN;
CREATE OR REPLACE TRIGGER "bookings_insert_in_tenant" BEFORE INSERT ON "bookings" FOR EACH ROW
  WHEN (NEW."tenant_id" <> nullif(current_setting('partner_booking.tenant', true), ''))
  EXECUTE FUNCTION "refuse_other_tenant"();
CREATE OR REPLACE TRIGGER "bookings_update_in_tenant" BEFORE UPDATE ON "bookings" FOR EACH ROW
  WHEN (OLD."tenant_id" <> nullif(current_setting('partner_booking.tenant', true), '')
    OR NEW."tenant_id" <> nullif(current_setting('partner_booking.tenant', true), ''))
  EXECUTE FUNCTION "refuse_other_tenant"();
CREATE OR REPLACE TRIGGER "bookings_delete_in_tenant" BEFORE DELETE ON "bookings" FOR EACH ROW
  WHEN (OLD."tenant_id" <> nullif(current_setting('partner_booking.tenant', true), ''))
  EXECUTE FUNCTION "refuse_other_tenant"();
COMMIT;
