-- The event types `availability.changed` and `catalog.changed` (contract B17). They belong to no booking. Each part has its own
-- transaction with few locks, and can be repeated.

BEGIN;
-- Validated by the next migration, so that this one reads no events.
ALTER TABLE "events" DROP CONSTRAINT IF EXISTS "events_type";
ALTER TABLE "events" ADD CONSTRAINT "events_type" CHECK (
  "type" IN ('booking.created', 'booking.rescheduled', 'booking.updated', 'booking.cancelled', 'booking.completed',
    'booking.no_show', 'booking.upcoming', 'availability.changed', 'catalog.changed', 'webhook.test')
  AND ("type" IN ('availability.changed', 'catalog.changed', 'webhook.test')) = ("booking_reference" IS NULL)
  AND ("type" IN ('booking.upcoming', 'availability.changed', 'catalog.changed', 'webhook.test')) = ("version" IS NULL)
  AND ("version" >= 1) IS NOT FALSE) NOT VALID;
COMMIT;

BEGIN;
ALTER TABLE "webhook_endpoints" DROP CONSTRAINT IF EXISTS "webhook_endpoints_event_types";
ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_event_types" CHECK (
  "event_types" <@ ARRAY['booking.created', 'booking.rescheduled', 'booking.updated', 'booking.cancelled',
    'booking.completed', 'booking.no_show', 'booking.upcoming', 'availability.changed', 'catalog.changed']
  AND cardinality("event_types") BETWEEN 1 AND 9 AND array_position("event_types", NULL) IS NULL);
-- A job looks for these endpoints every second.
CREATE INDEX IF NOT EXISTS "webhook_endpoints_thin" ON "webhook_endpoints" ("application_id")
  WHERE "event_types" && ARRAY['availability.changed', 'catalog.changed'];
COMMIT;

BEGIN;
CREATE TABLE IF NOT EXISTS "change_watches" (
    "application_id" TEXT COLLATE "C" NOT NULL,
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "types" TEXT[] NOT NULL,
    "next_at" TIMESTAMPTZ(3) NOT NULL,
    "missed" BOOLEAN NOT NULL DEFAULT true,
    "catalog_version" UUID,
    "policy_version" UUID,
    "catalog" BYTEA,
    "schedules" JSONB NOT NULL DEFAULT '{}',

    CONSTRAINT "change_watches_pkey" PRIMARY KEY ("application_id"),
    CONSTRAINT "change_watches_tenant_id_application_id_fkey" FOREIGN KEY ("tenant_id", "application_id") REFERENCES "applications"("tenant_id", "id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "change_watches_types" CHECK ("types" <@ ARRAY['availability.changed', 'catalog.changed']
      AND cardinality("types") BETWEEN 1 AND 2 AND array_position("types", NULL) IS NULL),
    CONSTRAINT "change_watches_catalog" CHECK (octet_length("catalog") = 32),
    CONSTRAINT "change_watches_schedules" CHECK (jsonb_typeof("schedules") = 'object')
    -- Each run replaces the row.
) WITH (fillfactor = 50);
CREATE INDEX IF NOT EXISTS "change_watches_tenant_id_idx" ON "change_watches"("tenant_id");
DROP POLICY IF EXISTS "tenant" ON "change_watches";
ALTER TABLE "change_watches" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "change_watches"
  USING ((SELECT coalesce(current_setting('partner_booking.tenant', true), '') = '')
    OR "tenant_id" = (SELECT current_setting('partner_booking.tenant', true)));
COMMIT;

BEGIN;
-- Only inserted and deleted: a queue that merged its rows would lose a change that commits after a run has read the row.
CREATE TABLE IF NOT EXISTS "slot_changes" (
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "subject_id" TEXT COLLATE "C" NOT NULL,
    "local" BOOLEAN NOT NULL,
    "from_minute" BIGINT NOT NULL,
    "to_minute" BIGINT NOT NULL,

    CONSTRAINT "slot_changes_pkey" PRIMARY KEY ("tenant_id", "id"),
    CONSTRAINT "slot_changes_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "slot_changes_range" CHECK ("from_minute" < "to_minute")
);
DROP POLICY IF EXISTS "tenant" ON "slot_changes";
ALTER TABLE "slot_changes" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "slot_changes"
  USING ((SELECT coalesce(current_setting('partner_booking.tenant', true), '') = '')
    OR "tenant_id" = (SELECT current_setting('partner_booking.tenant', true)));
COMMIT;

BEGIN;
-- Without a watch, a change costs only a look at a small index.
CREATE OR REPLACE FUNCTION "queue_claim"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  claim slot_claims;
BEGIN
  IF TG_OP = 'DELETE' THEN claim := OLD; ELSE claim := NEW; END IF;
  IF NOT EXISTS (SELECT FROM change_watches WHERE tenant_id = claim.tenant_id AND 'availability.changed' = ANY (types))
  THEN RETURN NULL; END IF;
  INSERT INTO slot_changes (tenant_id, subject_id, local, from_minute, to_minute)
  SELECT DISTINCT claim.tenant_id, claim.specialist_id, false,
    floor(extract(epoch FROM lower(range)) / 60)::bigint, ceil(extract(epoch FROM upper(range)) / 60)::bigint
  FROM (VALUES (coalesce(claim.overlapping, claim.during)),
    (CASE WHEN TG_OP = 'UPDATE' THEN coalesce(OLD.overlapping, OLD.during) END)) AS changed (range)
  WHERE NOT isempty(range);
  RETURN NULL;
END $$;

-- Deferred: a transaction that began before the watch queues its change too. Retention removes claims whose time is over. A
-- restore and an import of a tenant tell nothing that is new.
DROP TRIGGER IF EXISTS "slot_claims_queue_insert" ON "slot_claims";
CREATE CONSTRAINT TRIGGER "slot_claims_queue_insert" AFTER INSERT ON "slot_claims" DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (NEW."ends_at" > now() - interval '1 day' AND coalesce(current_setting('partner_booking.loading', true), '') = '')
  EXECUTE FUNCTION "queue_claim"();
DROP TRIGGER IF EXISTS "slot_claims_queue_update" ON "slot_claims";
CREATE CONSTRAINT TRIGGER "slot_claims_queue_update" AFTER UPDATE ON "slot_claims" DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN ((NEW."ends_at" > now() - interval '1 day' OR OLD."ends_at" > now() - interval '1 day')
    AND coalesce(current_setting('partner_booking.loading', true), '') = '')
  EXECUTE FUNCTION "queue_claim"();
DROP TRIGGER IF EXISTS "slot_claims_queue_delete" ON "slot_claims";
CREATE CONSTRAINT TRIGGER "slot_claims_queue_delete" AFTER DELETE ON "slot_claims" DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (OLD."ends_at" > now() - interval '1 day' AND coalesce(current_setting('partner_booking.loading', true), '') = '')
  EXECUTE FUNCTION "queue_claim"();
COMMIT;

BEGIN;
-- A block has up to about 1,500 days, so the days of a statement are queued together.
CREATE OR REPLACE FUNCTION "queue_block_days"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO slot_changes (tenant_id, subject_id, local, from_minute, to_minute)
  SELECT tenant_id, subject_id, true, lower(part), upper(part)
  FROM (SELECT tenant_id, subject_id, unnest(range_agg(int8range(
      (day - date '1970-01-01')::bigint * 1440 + from_minute, (day - date '1970-01-01')::bigint * 1440 + to_minute))) AS part
    FROM changed WHERE day >= current_date - 1 AND EXISTS (
      SELECT FROM change_watches w WHERE w.tenant_id = changed.tenant_id AND 'availability.changed' = ANY (w.types))
    GROUP BY tenant_id, subject_id) AS merged;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER "block_days_queue_insert" AFTER INSERT ON "block_days" REFERENCING NEW TABLE AS "changed"
  FOR EACH STATEMENT WHEN (coalesce(current_setting('partner_booking.loading', true), '') = '')
  EXECUTE FUNCTION "queue_block_days"();
CREATE OR REPLACE TRIGGER "block_days_queue_delete" AFTER DELETE ON "block_days" REFERENCING OLD TABLE AS "changed"
  FOR EACH STATEMENT WHEN (coalesce(current_setting('partner_booking.loading', true), '') = '')
  EXECUTE FUNCTION "queue_block_days"();
COMMIT;
