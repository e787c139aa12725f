-- The table "request_log_before" contains the log entries from before the log was partitioned. It becomes the oldest
-- partition. PostgreSQL first verifies the range of its ids, which takes about half a second per million entries. No
-- request uses the table during this time.

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
  -- From here on, locks can make requests wait, but only briefly, because no statement below scans the large table
  -- "request_log_before".
  LOCK TABLE "request_log_default" IN ACCESS EXCLUSIVE MODE;
  -- Moves the entries that belong to "request_log_before" out of the default partition. They are there because servers
  -- still had them in memory when "request_log_before" got its name, and wrote them later.
  WITH moved AS (DELETE FROM "request_log_default" WHERE "request_id" < bound COLLATE "C" RETURNING *)
  INSERT INTO "request_log_before" SELECT * FROM moved ON CONFLICT ("request_id") DO NOTHING;
  -- The check constraint proves that all rows are in the range, so PostgreSQL does not scan the table for this. The
  -- table already has all indexes, so PostgreSQL builds none.
  EXECUTE format('ALTER TABLE "request_log" ATTACH PARTITION "request_log_before" FOR VALUES FROM (MINVALUE) TO (%L)', bound);
  ALTER TABLE "request_log_before" DROP CONSTRAINT "request_log_before_range";
END $$;
