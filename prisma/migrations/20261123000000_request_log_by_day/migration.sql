-- Partitions the request log by day, so that retention drops a whole partition instead of deleting entries one by one
-- (decision 17).
--
-- This migration only renames and creates tables, so requests wait less than a second. Existing entries stay in their
-- table. The next migration attaches this table as the oldest partition.

ALTER TABLE "request_log" RENAME TO "request_log_before";

-- No query uses this index. A search for the entries of a key uses the index on the key's application.
DROP INDEX "request_log_tenant_id_key_id_at_status_idx";

DO $$
DECLARE
  index_name text;
BEGIN
  FOR index_name IN
    SELECT indexrelid::regclass::text FROM pg_index WHERE indrelid = 'request_log_before'::regclass
  LOOP
    EXECUTE format('ALTER INDEX %I RENAME TO %I', index_name,
      replace(index_name, 'request_log_', 'request_log_before_'));
  END LOOP;
END $$;

-- The new table has the columns, checks, and indexes of the earlier one. Its ids are UUIDv7, so a range of ids is a
-- range of time.
CREATE TABLE "request_log" (LIKE "request_log_before" INCLUDING ALL) PARTITION BY RANGE ("request_id");

-- Contains the entries of days that have no partition. Without this table, their insertion would fail.
CREATE TABLE "request_log_default" PARTITION OF "request_log" DEFAULT WITH (autovacuum_vacuum_insert_scale_factor = 0.02);

-- Creates the partitions of today and of the next seven days (UTC). A bound consists of the first ten characters of an
-- id, which encode its timestamp in base32. The server creates the partitions of later days in advance
-- (lib/activity/request-log/partitions.ts).
--
-- If there are entries, the first partition begins 30 seconds before now, and the entries since then are moved to it.
-- The next migration attaches the table of the older entries as a partition. During the attachment, a new entry whose
-- id is in the range of that partition would be rejected. Because of the 30 seconds, no request that is running now has
-- such an id.
DO $$
DECLARE
  today timestamp := date_trunc('day', now() AT TIME ZONE 'UTC');
  since timestamp := today;
  bounds text[];
BEGIN
  IF EXISTS (SELECT FROM "request_log_before") THEN
    since := now() AT TIME ZONE 'UTC' - interval '30 seconds';
  END IF;
  SELECT array_agg(bound ORDER BY day) INTO bounds FROM (
    SELECT day, 'req_' || string_agg(
      substr('0123456789abcdefghjkmnpqrstvwxyz', ((ms >> (45 - 5 * digit)) & 31)::int + 1, 1), '' ORDER BY digit) AS bound
    FROM generate_series(0, 8) AS day
      CROSS JOIN LATERAL (SELECT (extract(epoch FROM
        CASE day WHEN 0 THEN since ELSE today + day * interval '1 day' END) * 1000)::bigint) AS of_day(ms)
      CROSS JOIN generate_series(0, 9) AS digit
    GROUP BY day) AS bound_of;
  FOR day IN 1..8 LOOP
    EXECUTE format(
      'CREATE TABLE %I PARTITION OF "request_log" FOR VALUES FROM (%L) TO (%L) WITH (autovacuum_vacuum_insert_scale_factor = 0.02)',
      'request_log_' || to_char(today + (day - 1) * interval '1 day', 'YYYYMMDD'), bounds[day], bounds[day + 1]);
  END LOOP;
  WITH moved AS (DELETE FROM "request_log_before" WHERE "request_id" >= bounds[1] COLLATE "C" RETURNING *)
  INSERT INTO "request_log" SELECT * FROM moved;
  IF NOT EXISTS (SELECT FROM "request_log_before") THEN
    DROP TABLE "request_log_before";
  END IF;
END $$;
