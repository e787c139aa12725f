-- Another cell serves the tenant. The check keeps such a tenant suspended, which holds its webhooks and refuses changes by
-- members. A nullable column without a default, and a check of a small table: requests wait only milliseconds.
ALTER TABLE "tenants" ADD COLUMN "elsewhere_since" TIMESTAMPTZ(3);
ALTER TABLE "tenants" ADD CONSTRAINT "tenants_elsewhere" CHECK ("elsewhere_since" IS NULL OR "suspended_at" IS NOT NULL);

-- The start of a key, by which a proxy finds the cell of a moved tenant. It is public, and leaves at least 20 random
-- characters. Null for a key that was issued before, until it is used.
ALTER TABLE "api_keys" ADD COLUMN "start" TEXT COLLATE "C";
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_start" CHECK ("start" ~ '^pbk_(test|live)_[0-9A-Za-z]{12}$' AND starts_with("start", "prefix"));
