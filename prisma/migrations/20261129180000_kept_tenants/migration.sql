-- Closes ways around `kept_logs`. With the servers' role, SQL could delete a tenant with its logs and insert it again with
-- chosen entries, in one transaction that nobody saw. Servers of earlier versions do nothing that is now refused. Only the
-- import of a tenant that was deleted here needs the role that owns the tables.

-- When the database recorded the deletion. `began_at` is a time of a server.
ALTER TABLE "tenant_deletions" ADD COLUMN IF NOT EXISTS "recorded_at" TIMESTAMPTZ(6) NOT NULL DEFAULT now();

CREATE OR REPLACE FUNCTION "record_deletion"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW."recorded_at" := now();
  RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER "kept_insert" BEFORE INSERT ON "tenant_deletions"
  FOR EACH ROW EXECUTE FUNCTION "record_deletion"();

-- The times at which a deletion began are kept, too.
CREATE OR REPLACE TRIGGER "kept_update" BEFORE UPDATE ON "tenant_deletions" FOR EACH ROW
  WHEN ((NEW."tenant_id", NEW."name", NEW."began_at", NEW."recorded_at")
      IS DISTINCT FROM (OLD."tenant_id", OLD."name", OLD."began_at", OLD."recorded_at") OR OLD."finished_at" IS NOT NULL)
  EXECUTE FUNCTION "refuse_change_of_log"();

-- As in `kept_logs`, but an earlier transaction must have recorded the deletion of the tenant. `now()` is the start of the
-- transaction.
CREATE OR REPLACE FUNCTION "refuse_early_deletion"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  IF EXISTS (
    SELECT FROM (SELECT "tenant_id", max("at") AS "newest" FROM "gone" GROUP BY "tenant_id") AS "g"
      LEFT JOIN "tenants" AS "t" ON "t"."id" = "g"."tenant_id"
    WHERE CASE TG_ARGV[0] WHEN 'forever' THEN true
        WHEN 'setting' THEN "newest" >= now() - coalesce("t"."request_log_days", 30) * interval '24 hours'
        ELSE "newest" >= now() - TG_ARGV[0]::int * interval '24 hours' END
      AND ("t"."deletion_began_at" IS NULL AND "t"."id" IS NOT NULL OR NOT EXISTS (
        SELECT FROM "tenant_deletions" AS "d"
        WHERE "d"."tenant_id" = "g"."tenant_id" AND "d"."finished_at" IS NULL AND "d"."recorded_at" < now()))) THEN
    RAISE EXCEPTION 'rows of % are kept until their retention ends', TG_TABLE_NAME
      USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN NULL;
END $$;

-- Refuses to delete a tenant that has audit entries, or whose deletion no earlier transaction has recorded. The function
-- sees all entries, because it runs with the rights of the role that migrates.
CREATE OR REPLACE FUNCTION "refuse_hidden_deletion"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  IF OLD."deletion_began_at" IS NULL
    OR NOT EXISTS (SELECT FROM "tenant_deletions" AS "d"
      WHERE "d"."tenant_id" = OLD."id" AND "d"."finished_at" IS NULL AND "d"."recorded_at" < now())
    OR EXISTS (SELECT FROM "audit_log" AS "a" WHERE "a"."tenant_id" = OLD."id") THEN
    RAISE EXCEPTION 'a tenant is deleted last, after an earlier transaction has recorded its deletion'
      USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN OLD;
END $$;
CREATE OR REPLACE TRIGGER "kept_delete" BEFORE DELETE ON "tenants"
  FOR EACH ROW EXECUTE FUNCTION "refuse_hidden_deletion"();

-- A deleted tenant returns only with an import, which uses the role that owns the tables. The function runs with the
-- rights of its caller, whose role it checks.
CREATE OR REPLACE FUNCTION "refuse_returned_tenant"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM "tenant_deletions" AS "d" WHERE "d"."tenant_id" = NEW."id")
    AND NOT pg_has_role(current_user, (SELECT relowner FROM pg_class WHERE oid = TG_RELID), 'USAGE') THEN
    RAISE EXCEPTION 'a deleted tenant returns only with an import' USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER "kept_insert" BEFORE INSERT ON "tenants"
  FOR EACH ROW EXECUTE FUNCTION "refuse_returned_tenant"();
CREATE OR REPLACE TRIGGER "kept_update" BEFORE UPDATE ON "tenants" FOR EACH ROW
  WHEN (NEW."id" <> OLD."id") EXECUTE FUNCTION "refuse_change_of_log"();

-- As in `kept_logs`, but an entry from the future does not count. It would hide later entries from this check. The clocks
-- of a server and of the database can differ.
CREATE OR REPLACE FUNCTION "refuse_unaudited_retention"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  IF NEW."request_log_days" IS DISTINCT FROM (
    SELECT ("after"->>'request_log_days')::int FROM "audit_log"
    WHERE "tenant_id" = NEW."id" AND "action" = 'retention.changed' AND "at" <= now() + interval '1 minute'
    ORDER BY "at" DESC, "id" DESC LIMIT 1) THEN
    RAISE EXCEPTION 'a shorter retention needs an audit entry' USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN NULL;
END $$;

-- The search path and the rights are those of `partition_functions`, for the same reasons. Replacing a function removes its
-- search path.
DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['"refuse_early_deletion"()', '"refuse_hidden_deletion"()', '"refuse_returned_tenant"()',
    '"refuse_unaudited_retention"()'] LOOP
    EXECUTE format('ALTER FUNCTION %s SET search_path = %I, pg_temp', name, current_schema());
    EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', name);
  END LOOP;
END $$;
