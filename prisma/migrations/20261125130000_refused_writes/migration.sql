-- The service, location, specialist, date, and start time in a request to write a booking that was refused. The
-- request's external reference is stored in the column `external_reference` instead, which has an index.
--
-- This migration blocks requests only for milliseconds, because the column is nullable and has no default, and the
-- check does not read existing rows. The next migration validates the check.
ALTER TABLE "request_log" ADD COLUMN "refused" JSONB;

-- Only identifiers and times are allowed, so that no version of the server can store customer data here.
ALTER TABLE "request_log" ADD CONSTRAINT "request_log_refused" CHECK (
  "refused" IS NULL
  OR ("status" BETWEEN 400 AND 499 AND "tenant_id" IS NOT NULL
    AND "refused" - ARRAY['service_id', 'location_id', 'specialist_id', 'date', 'start_time'] = '{}'
    AND coalesce("refused"->>'service_id' ~ '^svc_[0-7][0-9a-hjkmnp-tv-z]{25}$', true)
    AND coalesce("refused"->>'location_id' ~ '^loc_[0-7][0-9a-hjkmnp-tv-z]{25}$', true)
    AND coalesce("refused"->>'specialist_id' ~ '^spc_[0-7][0-9a-hjkmnp-tv-z]{25}$', true)
    AND coalesce("refused"->>'date' ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$', true)
    AND coalesce("refused"->>'start_time' ~ '^[0-9]{2}:[0-9]{2}$', true))
) NOT VALID;
