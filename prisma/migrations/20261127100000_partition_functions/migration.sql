-- Servers create and drop the partitions of the request log (lib/activity/request-log/partitions.ts), but their role
-- owns no tables. They therefore call these functions, which run with the rights of the role that migrates. No argument
-- can make a function change another table.

-- Creates the partition for a UTC day. Returns false if the partition exists. Also returns false if the default
-- partition has entries of that day, because PostgreSQL then refuses to attach the partition.
CREATE FUNCTION "create_request_log_partition"("day" date) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER AS $$
DECLARE
  partition_name text := 'request_log_' || to_char("day", 'YYYYMMDD');
  bounds text[];
BEGIN
  IF "day" IS NULL OR "day" NOT BETWEEN '2000-01-01' AND '2999-12-31' THEN
    RAISE EXCEPTION 'the day must be from 2000 to 2999' USING ERRCODE = 'invalid_parameter_value';
  END IF;
  -- A bound is the start of an id: `req_` and the ten base32 digits of the timestamp.
  SELECT array_agg(bound ORDER BY ms) INTO bounds FROM (
    SELECT ms, 'req_' || string_agg(
      substr('0123456789abcdefghjkmnpqrstvwxyz', ((ms >> (45 - 5 * digit)) & 31)::int + 1, 1), '' ORDER BY digit) AS bound
    FROM generate_series(0, 1) AS days
      CROSS JOIN LATERAL (SELECT (extract(epoch FROM "day" + days) * 1000)::bigint) AS of_day(ms)
      CROSS JOIN generate_series(0, 9) AS digit
    GROUP BY ms) AS bound_of;
  IF to_regclass(partition_name) IS NOT NULL OR EXISTS (
    SELECT FROM "request_log_default"
    WHERE "request_id" >= bounds[1] COLLATE "C" AND "request_id" < bounds[2] COLLATE "C") THEN
    RETURN false;
  END IF;
  -- The table is created separately and then attached, because `CREATE TABLE … PARTITION OF` would block every request
  -- until the transaction ends.
  EXECUTE format(
    'CREATE TABLE %I (LIKE "request_log" INCLUDING ALL) WITH (autovacuum_vacuum_insert_scale_factor = 0.02)',
    partition_name);
  EXECUTE format('ALTER TABLE "request_log" ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)',
    partition_name, bounds[1], bounds[2]);
  RETURN true;
END $$;

-- Detaches a partition and renames it, so that `drop_detached_request_log` finds it. Returns false if there is no
-- partition with this name, or if it is the default partition.
CREATE FUNCTION "detach_request_log_partition"("partition_name" text) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER AS $$
DECLARE
  found_partition regclass;
BEGIN
  SELECT oid INTO found_partition FROM pg_inherits JOIN pg_class ON oid = inhrelid
  WHERE inhparent = '"request_log"'::regclass AND relname = "partition_name"
    AND pg_get_expr(relpartbound, oid) <> 'DEFAULT';
  IF found_partition IS NULL THEN
    RETURN false;
  END IF;
  EXECUTE format('ALTER TABLE "request_log" DETACH PARTITION %s', found_partition);
  EXECUTE format('ALTER TABLE %s RENAME TO %I', found_partition,
    replace("partition_name", 'request_log_', 'request_log_detached_'));
  RETURN true;
END $$;

-- Drops one object of the detached partitions in each call. Repeated calls drop all indexes, then the primary keys,
-- then the tables. Returns false if nothing is left to drop.
CREATE FUNCTION "drop_detached_request_log"() RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER AS $$
DECLARE
  step text;
BEGIN
  WITH detached AS (
    SELECT oid, oid::regclass AS name FROM pg_class
    WHERE relkind = 'r' AND starts_with(relname, 'request_log_detached_')
      AND relnamespace = (SELECT relnamespace FROM pg_class WHERE oid = '"request_log"'::regclass))
  SELECT command INTO step FROM (
    SELECT format('DROP INDEX %s', indexrelid::regclass) AS command, 1 AS place
      FROM detached JOIN pg_index ON indrelid = oid WHERE NOT indisprimary
    UNION ALL SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', name, conname), 2
      FROM detached JOIN pg_constraint ON conrelid = detached.oid WHERE contype = 'p'
    UNION ALL SELECT format('DROP TABLE %s', name), 3 FROM detached) AS steps
  ORDER BY place LIMIT 1;
  IF step IS NULL THEN
    RETURN false;
  END IF;
  EXECUTE step;
  RETURN true;
END $$;

-- Without a fixed search path, a caller could make these functions use the caller's own tables or operators. PostgreSQL
-- searches `pg_catalog` before this path. `pg_temp` comes last, because PostgreSQL would otherwise search it first.
DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['"create_request_log_partition"(date)', '"detach_request_log_partition"(text)',
    '"drop_detached_request_log"()']
  LOOP
    EXECUTE format('ALTER FUNCTION %s SET search_path = %I, pg_temp', name, current_schema());
    EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', name);
  END LOOP;
END $$;
