-- Triggers that keep the logs: no role changes or deletes a row of the audit log, the sign-ins, the refused calls, or the
-- request log, except as listed below. Grants alone would not do: a server that deletes a user would still delete the
-- user's sign-ins, because a foreign key deletes with the rights of the owner. Servers of earlier versions change only
-- what the triggers allow, so they continue to run.
--
-- - An export adds its outcome to its audit entry once.
-- - A sign-in or a refused call of the same minute is counted.
-- - Retention deletes rows by the clock of the database and the settings of the tenant, never by an argument.
-- - A deletion of a tenant deletes its rows while its record in `tenant_deletions` is unfinished. This record is kept.
--
-- Each table has a separate transaction, which holds its lock for milliseconds. If the migration fails, it can run again.

BEGIN;
-- Refuses a row of the table. Called only if the WHEN clause of a trigger does not allow the change.
CREATE OR REPLACE FUNCTION "refuse_change_of_log"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a row of % is kept as it is', TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
END $$;

-- Refuses to delete rows before their retention has ended. The argument is the number of days, `setting` for the
-- setting of the tenant, or `forever`. Without a tenant, entries of the request log are kept for 30 days. The function
-- sees all tenants, because it runs with the rights of the role that migrates.
CREATE OR REPLACE FUNCTION "refuse_early_deletion"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  IF EXISTS (
    SELECT FROM (SELECT "tenant_id", max("at") AS "newest" FROM "gone" GROUP BY "tenant_id") AS "g"
      LEFT JOIN "tenants" AS "t" ON "t"."id" = "g"."tenant_id"
    WHERE CASE TG_ARGV[0] WHEN 'forever' THEN true
        WHEN 'setting' THEN "newest" >= now() - coalesce("t"."request_log_days", 30) * interval '24 hours'
        ELSE "newest" >= now() - TG_ARGV[0]::int * interval '24 hours' END
      AND ("t"."deletion_began_at" IS NULL AND "t"."id" IS NOT NULL OR NOT EXISTS (
        SELECT FROM "tenant_deletions" AS "d" WHERE "d"."tenant_id" = "g"."tenant_id" AND "d"."finished_at" IS NULL))) THEN
    RAISE EXCEPTION 'rows of % are kept until their retention ends', TG_TABLE_NAME
      USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN NULL;
END $$;

-- Refuses to shorten the retention of the request log without an audit entry, which nobody can remove. Checked at the
-- end of the transaction, because the entry follows the change.
CREATE OR REPLACE FUNCTION "refuse_unaudited_retention"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  IF NEW."request_log_days" IS DISTINCT FROM (
    SELECT ("after"->>'request_log_days')::int FROM "audit_log"
    WHERE "tenant_id" = NEW."id" AND "action" = 'retention.changed' ORDER BY "at" DESC, "id" DESC LIMIT 1) THEN
    RAISE EXCEPTION 'a shorter retention needs an audit entry' USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN NULL;
END $$;

-- The search path and the rights are those of `partition_functions`, for the same reasons.
DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['"refuse_early_deletion"()', '"refuse_unaudited_retention"()'] LOOP
    EXECUTE format('ALTER FUNCTION %s SET search_path = %I, pg_temp', name, current_schema());
    EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', name);
  END LOOP;
END $$;
COMMIT;

-- An export's entry gets the fields `rows` and `result`, and keeps its other fields.
BEGIN;
CREATE OR REPLACE TRIGGER "kept_update" BEFORE UPDATE ON "audit_log" FOR EACH ROW
  WHEN (NEW IS DISTINCT FROM OLD AND NOT coalesce(
    (NEW."id", NEW."at", NEW."tenant_id", NEW."actor_kind", NEW."actor_id", NEW."action", NEW."object_kind", NEW."object_id", NEW."before")
      IS NOT DISTINCT FROM
    (OLD."id", OLD."at", OLD."tenant_id", OLD."actor_kind", OLD."actor_id", OLD."action", OLD."object_kind", OLD."object_id", OLD."before")
    AND OLD."action" IN ('requests.exported', 'audit.exported')
    AND NOT OLD."after" ?| ARRAY['rows', 'result'] AND NEW."after" ?& ARRAY['rows', 'result']
    AND NEW."after" - ARRAY['rows', 'result'] = OLD."after", false))
  EXECUTE FUNCTION "refuse_change_of_log"();
CREATE OR REPLACE TRIGGER "kept_delete" AFTER DELETE ON "audit_log" REFERENCING OLD TABLE AS "gone"
  FOR EACH STATEMENT EXECUTE FUNCTION "refuse_early_deletion"('forever');
COMMIT;

-- A count only grows. The retention of sign-ins and refused calls is 90 days. The triggers allow a day less, because the
-- clocks of a server and of the database can differ.
BEGIN;
CREATE OR REPLACE TRIGGER "kept_update" BEFORE UPDATE ON "sign_ins" FOR EACH ROW
  WHEN ((NEW."id", NEW."tenant_id", NEW."user_id", NEW."outcome", NEW."method", NEW."network", NEW."minute")
      IS DISTINCT FROM (OLD."id", OLD."tenant_id", OLD."user_id", OLD."outcome", OLD."method", OLD."network", OLD."minute")
    OR NEW."attempts" < OLD."attempts" OR NEW."at" < OLD."at")
  EXECUTE FUNCTION "refuse_change_of_log"();
CREATE OR REPLACE TRIGGER "kept_delete" AFTER DELETE ON "sign_ins" REFERENCING OLD TABLE AS "gone"
  FOR EACH STATEMENT EXECUTE FUNCTION "refuse_early_deletion"('89');
COMMIT;

BEGIN;
CREATE OR REPLACE TRIGGER "kept_update" BEFORE UPDATE ON "refused_calls" FOR EACH ROW
  WHEN ((NEW."id", NEW."tenant_id", NEW."user_id", NEW."procedure", NEW."code", NEW."minute")
      IS DISTINCT FROM (OLD."id", OLD."tenant_id", OLD."user_id", OLD."procedure", OLD."code", OLD."minute")
    OR NEW."calls" < OLD."calls" OR NEW."at" < OLD."at")
  EXECUTE FUNCTION "refuse_change_of_log"();
CREATE OR REPLACE TRIGGER "kept_delete" AFTER DELETE ON "refused_calls" REFERENCING OLD TABLE AS "gone"
  FOR EACH STATEMENT EXECUTE FUNCTION "refuse_early_deletion"('89');
COMMIT;

-- Nothing changes an entry of the request log. These triggers belong to the partitioned table, not to its partitions,
-- because servers cannot access a partition by its name.
BEGIN;
CREATE OR REPLACE TRIGGER "kept_update" BEFORE UPDATE ON "request_log"
  FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change_of_log"();
CREATE OR REPLACE TRIGGER "kept_delete" AFTER DELETE ON "request_log" REFERENCING OLD TABLE AS "gone"
  FOR EACH STATEMENT EXECUTE FUNCTION "refuse_early_deletion"('setting');
COMMIT;

-- A deletion of a tenant cannot be hidden.
BEGIN;
CREATE OR REPLACE TRIGGER "kept_update" BEFORE UPDATE ON "tenant_deletions" FOR EACH ROW
  WHEN (NEW."tenant_id" <> OLD."tenant_id" OR NEW."name" <> OLD."name" OR OLD."finished_at" IS NOT NULL)
  EXECUTE FUNCTION "refuse_change_of_log"();
CREATE OR REPLACE TRIGGER "kept_delete" BEFORE DELETE ON "tenant_deletions"
  FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change_of_log"();
COMMIT;

BEGIN;
DROP TRIGGER IF EXISTS "kept_retention" ON "tenants";
CREATE CONSTRAINT TRIGGER "kept_retention" AFTER UPDATE ON "tenants" DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (NEW."request_log_days" < OLD."request_log_days") EXECUTE FUNCTION "refuse_unaudited_retention"();
COMMIT;

-- Detaches a partition and renames it, so that `drop_detached_request_log` finds it. Returns false if there is no
-- partition with this name, if it is the default partition, if the shortest retention of a tenant has not ended for all
-- its entries, or if more than 2,000 entries have a longer retention. Fewer such entries move to the default partition.
BEGIN;
CREATE OR REPLACE FUNCTION "detach_request_log_partition"("partition_name" text) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER AS $$
DECLARE
  found_partition regclass;
  lower_id text;
  upper_id text;
  ended timestamptz;
  kept "request_log"[];
BEGIN
  SELECT oid, coalesce(substring(bounds FROM 'FROM \(''(\w+)''\)'), ''), substring(bounds FROM 'TO \(''(\w+)''\)')
  INTO found_partition, lower_id, upper_id
  FROM (SELECT oid, pg_get_expr(relpartbound, oid) AS bounds FROM pg_inherits JOIN pg_class ON oid = inhrelid
    WHERE inhparent = '"request_log"'::regclass AND relname = "partition_name") AS partitions;
  IF upper_id IS NULL THEN
    RETURN false;
  END IF;
  -- The ten base32 digits after `req_` are the milliseconds since 1970.
  SELECT to_timestamp(sum((strpos('0123456789abcdefghjkmnpqrstvwxyz', substr(upper_id, 14 - place, 1)) - 1)::bigint << (5 * place))::float8 / 1000)
  INTO ended FROM generate_series(0, 9) AS place;
  IF ended IS NULL OR ended > now() - (SELECT coalesce(min("request_log_days"), 30) FROM "tenants") * interval '24 hours' THEN
    RETURN false;
  END IF;
  -- Entries without a tenant, and those of a deleted tenant, are kept for 30 days.
  IF ended > now() - 30 * interval '24 hours' THEN
    SELECT array_agg(entry) INTO kept FROM (
      SELECT l AS entry FROM "request_log" l LEFT JOIN "tenants" t ON t."id" = l."tenant_id"
      WHERE l."request_id" >= lower_id COLLATE "C" AND l."request_id" < upper_id COLLATE "C"
        AND l."at" >= now() - coalesce(t."request_log_days", 30) * interval '24 hours' LIMIT 2001) AS entries;
    IF cardinality(kept) > 2000 THEN
      RETURN false;
    END IF;
  END IF;
  EXECUTE format('ALTER TABLE "request_log" DETACH PARTITION %s', found_partition);
  EXECUTE format('ALTER TABLE %s RENAME TO %I', found_partition,
    replace("partition_name", 'request_log_', 'request_log_detached_'));
  INSERT INTO "request_log" SELECT (entry).* FROM unnest(kept) AS entry ON CONFLICT DO NOTHING;
  RETURN true;
END $$;
DO $$
BEGIN
  EXECUTE format('ALTER FUNCTION "detach_request_log_partition"(text) SET search_path = %I, pg_temp', current_schema());
END $$;
COMMIT;
