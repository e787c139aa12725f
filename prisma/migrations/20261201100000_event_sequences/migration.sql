-- The dense number of each event of an application (contract B16). A trigger gives it at the commit, so also the events of
-- servers of an earlier version get one. Each part has its own transaction with few locks, and can be repeated.

BEGIN;
CREATE TABLE IF NOT EXISTS "event_counters" (
    "application_id" TEXT COLLATE "C" NOT NULL,
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "last" BIGINT NOT NULL,
    "committed_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "event_counters_pkey" PRIMARY KEY ("application_id"),
    CONSTRAINT "event_counters_tenant_id_application_id_fkey" FOREIGN KEY ("tenant_id", "application_id") REFERENCES "applications"("tenant_id", "id") ON DELETE CASCADE ON UPDATE CASCADE,
    -- A number of JSON is exact up to this limit.
    CONSTRAINT "event_counters_last" CHECK ("last" BETWEEN 1 AND 9007199254740991)
    -- Each change replaces the row. With free space, the new version stays on the page.
) WITH (fillfactor = 50);
DROP POLICY IF EXISTS "tenant" ON "event_counters";
ALTER TABLE "event_counters" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "event_counters"
  USING ((SELECT coalesce(current_setting('partner_booking.tenant', true), '') = '')
    OR "tenant_id" = (SELECT current_setting('partner_booking.tenant', true)));
COMMIT;

BEGIN;
CREATE TABLE IF NOT EXISTS "event_sequences" (
    "application_id" TEXT COLLATE "C" NOT NULL,
    "sequence" BIGINT NOT NULL,
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "event_id" TEXT COLLATE "C" NOT NULL,
    "committed_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "event_sequences_pkey" PRIMARY KEY ("application_id", "sequence"),
    CONSTRAINT "event_sequences_event_id_fkey" FOREIGN KEY ("event_id") REFERENCES "events"("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "event_sequences_sequence" CHECK ("sequence" BETWEEN 1 AND 9007199254740991)
);
CREATE UNIQUE INDEX IF NOT EXISTS "event_sequences_event_id_key" ON "event_sequences"("event_id");
CREATE INDEX IF NOT EXISTS "event_sequences_application_id_committed_at_idx" ON "event_sequences"("application_id", "committed_at");
DROP POLICY IF EXISTS "tenant" ON "event_sequences";
ALTER TABLE "event_sequences" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "event_sequences"
  USING ((SELECT coalesce(current_setting('partner_booking.tenant', true), '') = '')
    OR "tenant_id" = (SELECT current_setting('partner_booking.tenant', true)));
COMMIT;

BEGIN;
-- The row of the counter stays locked until the transaction has ended. So numbers become visible in their order, and a
-- transaction that fails gives its number back. `committed_at` never falls, even if the clock does.
CREATE OR REPLACE FUNCTION number_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  WITH counter AS (
    INSERT INTO event_counters AS c (application_id, tenant_id, last, committed_at)
    VALUES (NEW.application_id, NEW.tenant_id, 1, clock_timestamp())
    ON CONFLICT (application_id) DO UPDATE
      SET last = c.last + 1, committed_at = greatest(c.committed_at, clock_timestamp())
    RETURNING c.last, c.committed_at)
  INSERT INTO event_sequences (application_id, sequence, tenant_id, event_id, committed_at)
  SELECT NEW.application_id, counter.last, NEW.tenant_id, NEW.id, counter.committed_at FROM counter;
  RETURN NULL;
END $$;

-- Deferred: the counter is the last lock of every transaction, so it is held only during the commit and cannot be part of a
-- deadlock. Events of the business have no application. A restore and an import bring their numbers with them.
DROP TRIGGER IF EXISTS "number_event" ON "events";
CREATE CONSTRAINT TRIGGER "number_event" AFTER INSERT ON "events" DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (NEW.application_id IS NOT NULL AND coalesce(current_setting('partner_booking.loading', true), '') = '')
  EXECUTE FUNCTION number_event();
COMMIT;
