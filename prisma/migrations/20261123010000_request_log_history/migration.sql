-- Attaches the entries that were written before the request log was partitioned, as its oldest partition. Reading them
-- to verify the range takes about half a second per million; no request uses their table meanwhile.

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
  -- From here on locks are held that requests may wait for, but nothing is read.
  LOCK TABLE "request_log_default" IN ACCESS EXCLUSIVE MODE;
  -- Entries that were buffered while the table was renamed.
  WITH moved AS (DELETE FROM "request_log_default" WHERE "request_id" < bound COLLATE "C" RETURNING *)
  INSERT INTO "request_log_before" SELECT * FROM moved ON CONFLICT ("request_id") DO NOTHING;
  -- The check proves the range, so that nothing is scanned, and every index exists, so that none is built.
  EXECUTE format('ALTER TABLE "request_log" ATTACH PARTITION "request_log_before" FOR VALUES FROM (MINVALUE) TO (%L)', bound);
  ALTER TABLE "request_log_before" DROP CONSTRAINT "request_log_before_range";
END $$;
