-- When another cell began to serve the tenant. The constraint keeps such a tenant suspended, so that its webhooks are
-- held and its members cannot change anything. This migration blocks requests only for milliseconds, because the new
-- columns are nullable and have no default, and the constraints check only small tables.
ALTER TABLE "tenants" ADD COLUMN "elsewhere_since" TIMESTAMPTZ(3);
ALTER TABLE "tenants" ADD CONSTRAINT "tenants_elsewhere" CHECK ("elsewhere_since" IS NULL OR "suspended_at" IS NOT NULL);

-- The start of a key, by which a proxy finds the cell of a moved tenant. The start is not secret: at least 20 random
-- characters of the key follow it. Null for a key that was issued before this migration, until the key is used.
ALTER TABLE "api_keys" ADD COLUMN "start" TEXT COLLATE "C";
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_start" CHECK ("start" ~ '^pbk_(test|live)_[0-9A-Za-z]{12}$' AND starts_with("start", "prefix"));
