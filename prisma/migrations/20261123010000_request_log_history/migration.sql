-- Attaches the table with the entries from before the partitioning as the oldest partition. PostgreSQL reads the
-- entries to verify the range, which takes about half a second per million. No request uses the table during this time.

DO $$
DECLARE
  bound text;
BEGIN
  IF to_regclass('request_log_before') IS NULL THEN
    RETURN;
  END IF;
  SELECT min(substring(pg_get_expr(relpartbound, oid) FROM 'FROM \(''(\w+)''\)') COLLATE "C") INTO bound
  FROM pg_inherits JOIN pg_class ON oid = inhrelid WHERE inhparent = 'request_log'::regclass;
  EXECUTE format('ALTER TABLE "request_log_before" ADD CONSTRAINT "request_log_before_range" CHECK ("request_id" < %L)', bound);
  -- From here on, locks can make requests wait, but not for long: no statement below scans the large table.
  LOCK TABLE "request_log_default" IN ACCESS EXCLUSIVE MODE;
  -- Moves older entries out of the default partition: servers still had them in memory when the table was renamed, and
  -- wrote them later.
  WITH moved AS (DELETE FROM "request_log_default" WHERE "request_id" < bound COLLATE "C" RETURNING *)
  INSERT INTO "request_log_before" SELECT * FROM moved ON CONFLICT ("request_id") DO NOTHING;
  -- The check constraint proves the range, so PostgreSQL does not scan the table. All indexes exist, so it builds none.
  EXECUTE format('ALTER TABLE "request_log" ATTACH PARTITION "request_log_before" FOR VALUES FROM (MINVALUE) TO (%L)', bound);
  ALTER TABLE "request_log_before" DROP CONSTRAINT "request_log_before_range";
END $$;
