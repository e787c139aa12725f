-- Made by Prisma Migrate, then edited: what Prisma cannot express stands here with its reason.
-- Every id and what refers to one is COLLATE "C": lists are ordered by id byte by byte on every server, whatever its
-- locale, and an index serves a join only when both sides have its collation.
-- Lists are NOT NULL: a check lets NULL pass. Their checks read
-- the entries joined by spaces, after proving that no entry is NULL, empty or has a space.

-- CreateEnum
CREATE TYPE "Role" AS ENUM ('OWNER', 'SUPPORT');

-- CreateEnum
CREATE TYPE "ResetPolicy" AS ENUM ('DAILY', 'ON_DEMAND');

-- CreateTable
CREATE TABLE "environment" (
    "singleton" BOOLEAN NOT NULL DEFAULT true,
    "name" TEXT NOT NULL,
    "secrets_fingerprint" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "environment_pkey" PRIMARY KEY ("singleton")
);

-- CreateTable
CREATE TABLE "tenants" (
    "id" TEXT COLLATE "C" NOT NULL,
    "name" TEXT NOT NULL,
    "time_zone" TEXT NOT NULL,
    "default_locale" TEXT NOT NULL,
    "locales" TEXT[] NOT NULL,
    "reset_policy" "ResetPolicy" NOT NULL DEFAULT 'ON_DEMAND',
    "last_reset_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "tenants_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "users" (
    "id" TEXT COLLATE "C" NOT NULL,
    "email" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "password_hash" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "users_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "memberships" (
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "user_id" TEXT COLLATE "C" NOT NULL,
    "role" "Role" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "memberships_pkey" PRIMARY KEY ("tenant_id","user_id")
);

-- CreateTable
CREATE TABLE "locations" (
    "id" TEXT COLLATE "C" NOT NULL,
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "name" JSONB NOT NULL,
    "line1" TEXT NOT NULL,
    "city" TEXT NOT NULL,
    "postal_code" TEXT NOT NULL,
    "country" TEXT NOT NULL,
    "time_zone" TEXT NOT NULL,
    "phone" TEXT,
    "published" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "locations_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "location_hours" (
    "location_id" TEXT COLLATE "C" NOT NULL,
    "weekday" SMALLINT NOT NULL,
    "opens" TEXT NOT NULL,
    "closes" TEXT NOT NULL,

    CONSTRAINT "location_hours_pkey" PRIMARY KEY ("location_id","weekday","opens")
);

-- CreateTable
CREATE TABLE "location_exceptions" (
    "location_id" TEXT COLLATE "C" NOT NULL,
    "date" DATE NOT NULL,
    "hours" JSONB NOT NULL,
    "note" TEXT,

    CONSTRAINT "location_exceptions_pkey" PRIMARY KEY ("location_id","date")
);

-- CreateTable
CREATE TABLE "services" (
    "id" TEXT COLLATE "C" NOT NULL,
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "name" JSONB NOT NULL,
    "description" JSONB,
    "category" JSONB,
    "duration_minutes" INTEGER NOT NULL,
    "slot_interval_minutes" INTEGER NOT NULL,
    "buffer_before_minutes" INTEGER NOT NULL DEFAULT 0,
    "buffer_after_minutes" INTEGER NOT NULL DEFAULT 0,
    "price_amount" INTEGER,
    "price_currency" TEXT,
    "capacity" INTEGER NOT NULL DEFAULT 1,
    "min_lead_minutes" INTEGER NOT NULL DEFAULT 0,
    "max_advance_days" INTEGER NOT NULL,
    "cancellation_cutoff_minutes" INTEGER NOT NULL DEFAULT 0,
    "published" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "services_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "specialists" (
    "id" TEXT COLLATE "C" NOT NULL,
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "display_name" TEXT NOT NULL,
    "title" JSONB,
    "description" JSONB,
    "image_url" TEXT,
    "published" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "specialists_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "offerings" (
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "specialist_id" TEXT COLLATE "C" NOT NULL,
    "service_id" TEXT COLLATE "C" NOT NULL,
    "location_id" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "offerings_pkey" PRIMARY KEY ("specialist_id","service_id","location_id")
);

-- CreateTable
CREATE TABLE "specialist_hours" (
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "specialist_id" TEXT COLLATE "C" NOT NULL,
    "location_id" TEXT COLLATE "C" NOT NULL,
    "weekday" SMALLINT NOT NULL,
    "opens" TEXT NOT NULL,
    "closes" TEXT NOT NULL,

    CONSTRAINT "specialist_hours_pkey" PRIMARY KEY ("specialist_id","location_id","weekday","opens")
);

-- CreateTable
CREATE TABLE "specialist_breaks" (
    "specialist_id" TEXT COLLATE "C" NOT NULL,
    "weekday" SMALLINT NOT NULL,
    "opens" TEXT NOT NULL,
    "closes" TEXT NOT NULL,

    CONSTRAINT "specialist_breaks_pkey" PRIMARY KEY ("specialist_id","weekday","opens")
);

-- CreateTable
CREATE TABLE "specialist_exceptions" (
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "specialist_id" TEXT COLLATE "C" NOT NULL,
    "location_id" TEXT COLLATE "C" NOT NULL,
    "date" DATE NOT NULL,
    "hours" JSONB NOT NULL,
    "note" TEXT,

    CONSTRAINT "specialist_exceptions_pkey" PRIMARY KEY ("specialist_id","location_id","date")
);

-- CreateTable
CREATE TABLE "specialist_time_off" (
    "specialist_id" TEXT COLLATE "C" NOT NULL,
    "starts_at" TIMESTAMP(0) NOT NULL,
    "ends_at" TIMESTAMP(0) NOT NULL,

    CONSTRAINT "specialist_time_off_pkey" PRIMARY KEY ("specialist_id","starts_at")
);

-- CreateTable
CREATE TABLE "applications" (
    "id" TEXT COLLATE "C" NOT NULL,
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "name" TEXT NOT NULL,
    "scopes" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[],
    "all_locations" BOOLEAN NOT NULL DEFAULT false,
    "origins" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[],
    "networks" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[],
    "quota" INTEGER NOT NULL DEFAULT 600,
    "suspended_at" TIMESTAMPTZ(3),
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "applications_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "application_locations" (
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "application_id" TEXT COLLATE "C" NOT NULL,
    "location_id" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "application_locations_pkey" PRIMARY KEY ("application_id","location_id")
);

-- CreateTable
CREATE TABLE "api_keys" (
    "id" TEXT COLLATE "C" NOT NULL,
    "application_id" TEXT COLLATE "C" NOT NULL,
    "name" TEXT NOT NULL,
    "key_hash" BYTEA NOT NULL,
    "prefix" TEXT NOT NULL,
    "last_four" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),
    "rotated_to_id" TEXT COLLATE "C",
    "overlap_ends_at" TIMESTAMPTZ(3),
    "created_by_id" TEXT COLLATE "C",
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_used_at" TIMESTAMPTZ(3),

    CONSTRAINT "api_keys_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "request_log" (
    "request_id" TEXT COLLATE "C" NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "tenant_id" TEXT COLLATE "C",
    "application_id" TEXT COLLATE "C",
    "key_id" TEXT COLLATE "C",
    "method" TEXT NOT NULL,
    "route" TEXT,
    "path" TEXT,
    "status" SMALLINT NOT NULL,
    "code" TEXT,
    "reason" TEXT,
    "invalid_fields" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[],
    "duration_ms" REAL NOT NULL,
    "address" TEXT,
    "origin" TEXT,
    "user_agent" TEXT,
    "idempotency_key_hash" BYTEA,
    "replayed_from" TEXT,
    "booking_reference" TEXT,
    "external_reference" TEXT,

    CONSTRAINT "request_log_pkey" PRIMARY KEY ("request_id")
);

-- CreateTable
CREATE TABLE "audit_log" (
    "id" TEXT COLLATE "C" NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "actor_kind" TEXT NOT NULL,
    "actor_id" TEXT COLLATE "C",
    "action" TEXT NOT NULL,
    "object_kind" TEXT NOT NULL,
    "object_id" TEXT COLLATE "C" NOT NULL,
    "before" JSONB,
    "after" JSONB,

    CONSTRAINT "audit_log_pkey" PRIMARY KEY ("id")
);

-- CreateTable
-- Unlogged: a counter lives for a minute, and one that a crash loses costs nobody anything.
CREATE UNLOGGED TABLE "rate_limits" (
    "key" TEXT NOT NULL,
    "points" INTEGER NOT NULL DEFAULT 0,
    "expire" BIGINT,

    CONSTRAINT "rate_limits_pkey" PRIMARY KEY ("key")
);

-- CreateIndex
CREATE UNIQUE INDEX "users_email_key" ON "users"("email");

-- CreateIndex
CREATE INDEX "memberships_user_id_idx" ON "memberships"("user_id");

-- CreateIndex
CREATE UNIQUE INDEX "locations_tenant_id_id_key" ON "locations"("tenant_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "services_tenant_id_id_key" ON "services"("tenant_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "specialists_tenant_id_id_key" ON "specialists"("tenant_id", "id");

-- CreateIndex
CREATE INDEX "offerings_tenant_id_service_id_idx" ON "offerings"("tenant_id", "service_id");

-- CreateIndex
CREATE INDEX "offerings_tenant_id_location_id_idx" ON "offerings"("tenant_id", "location_id");

-- CreateIndex
CREATE INDEX "specialist_hours_tenant_id_location_id_idx" ON "specialist_hours"("tenant_id", "location_id");

-- CreateIndex
CREATE INDEX "specialist_exceptions_tenant_id_location_id_idx" ON "specialist_exceptions"("tenant_id", "location_id");

-- CreateIndex
CREATE UNIQUE INDEX "applications_tenant_id_id_key" ON "applications"("tenant_id", "id");

-- CreateIndex
CREATE INDEX "application_locations_tenant_id_location_id_idx" ON "application_locations"("tenant_id", "location_id");

-- CreateIndex
CREATE UNIQUE INDEX "api_keys_key_hash_key" ON "api_keys"("key_hash");

-- CreateIndex
CREATE UNIQUE INDEX "api_keys_application_id_id_key" ON "api_keys"("application_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "api_keys_application_id_rotated_to_id_key" ON "api_keys"("application_id", "rotated_to_id");

-- CreateIndex
-- Partial: a line without a tenant is found by its exact id only, and a flood of unknown keys must not grow this.
CREATE INDEX "request_log_tenant_id_at_idx" ON "request_log"("tenant_id", "at" DESC) WHERE "tenant_id" IS NOT NULL;

-- CreateIndex
CREATE INDEX "request_log_at_idx" ON "request_log" USING BRIN ("at");

-- CreateIndex
CREATE INDEX "audit_log_tenant_id_at_idx" ON "audit_log"("tenant_id", "at" DESC);

-- AddForeignKey
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "locations" ADD CONSTRAINT "locations_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "location_hours" ADD CONSTRAINT "location_hours_location_id_fkey" FOREIGN KEY ("location_id") REFERENCES "locations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "location_exceptions" ADD CONSTRAINT "location_exceptions_location_id_fkey" FOREIGN KEY ("location_id") REFERENCES "locations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "services" ADD CONSTRAINT "services_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "specialists" ADD CONSTRAINT "specialists_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "offerings" ADD CONSTRAINT "offerings_tenant_id_specialist_id_fkey" FOREIGN KEY ("tenant_id", "specialist_id") REFERENCES "specialists"("tenant_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "offerings" ADD CONSTRAINT "offerings_tenant_id_service_id_fkey" FOREIGN KEY ("tenant_id", "service_id") REFERENCES "services"("tenant_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "offerings" ADD CONSTRAINT "offerings_tenant_id_location_id_fkey" FOREIGN KEY ("tenant_id", "location_id") REFERENCES "locations"("tenant_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "specialist_hours" ADD CONSTRAINT "specialist_hours_tenant_id_specialist_id_fkey" FOREIGN KEY ("tenant_id", "specialist_id") REFERENCES "specialists"("tenant_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "specialist_hours" ADD CONSTRAINT "specialist_hours_tenant_id_location_id_fkey" FOREIGN KEY ("tenant_id", "location_id") REFERENCES "locations"("tenant_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "specialist_breaks" ADD CONSTRAINT "specialist_breaks_specialist_id_fkey" FOREIGN KEY ("specialist_id") REFERENCES "specialists"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "specialist_exceptions" ADD CONSTRAINT "specialist_exceptions_tenant_id_specialist_id_fkey" FOREIGN KEY ("tenant_id", "specialist_id") REFERENCES "specialists"("tenant_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "specialist_exceptions" ADD CONSTRAINT "specialist_exceptions_tenant_id_location_id_fkey" FOREIGN KEY ("tenant_id", "location_id") REFERENCES "locations"("tenant_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "specialist_time_off" ADD CONSTRAINT "specialist_time_off_specialist_id_fkey" FOREIGN KEY ("specialist_id") REFERENCES "specialists"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "applications" ADD CONSTRAINT "applications_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "application_locations" ADD CONSTRAINT "application_locations_tenant_id_application_id_fkey" FOREIGN KEY ("tenant_id", "application_id") REFERENCES "applications"("tenant_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "application_locations" ADD CONSTRAINT "application_locations_tenant_id_location_id_fkey" FOREIGN KEY ("tenant_id", "location_id") REFERENCES "locations"("tenant_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_application_id_fkey" FOREIGN KEY ("application_id") REFERENCES "applications"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_application_id_rotated_to_id_fkey" FOREIGN KEY ("application_id", "rotated_to_id") REFERENCES "api_keys"("application_id", "id") ON DELETE NO ACTION ON UPDATE CASCADE;

-- The environment

-- One row: with the primary key, false would be a second environment.
ALTER TABLE "environment" ADD CONSTRAINT "environment_one_row" CHECK ("singleton");

-- There are two environments.
ALTER TABLE "environment" ADD CONSTRAINT "environment_name" CHECK ("name" IN ('TEST', 'LIVE'));

-- An HMAC-SHA-256 in hexadecimal: a secret written here by mistake does not fit.
ALTER TABLE "environment" ADD CONSTRAINT "environment_fingerprint" CHECK ("secrets_fingerprint" ~ '^[0-9a-f]{64}$');

-- Tenants and people

-- The public form of an id (contract B1); an id of another kind can never stand here.
ALTER TABLE "tenants" ADD CONSTRAINT "tenants_id_format" CHECK ("id" ~ '^ten_[0-7][0-9a-hjkmnp-tv-z]{25}$');

-- Shown in headers and e-mails.
ALTER TABLE "tenants" ADD CONSTRAINT "tenants_name_length" CHECK (char_length("name") BETWEEN 1 AND 200);

-- An IANA name; which names exist is known to the program, not to the table.
ALTER TABLE "tenants" ADD CONSTRAINT "tenants_time_zone_format" CHECK ("time_zone" ~ '^[A-Za-z0-9_+/-]{1,64}$');

-- BCP 47 tags: they go into the Content-Language header (contract B4).
ALTER TABLE "tenants" ADD CONSTRAINT "tenants_locales" CHECK (cardinality("locales") BETWEEN 1 AND 50 AND "locales" = string_to_array(array_to_string("locales", ' '), ' ')
  AND array_to_string("locales", ' ') ~ '^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*( [A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*)*$');

-- Answers fall back to it (contract B4), so texts must exist in it.
ALTER TABLE "tenants" ADD CONSTRAINT "tenants_default_locale" CHECK ("default_locale" = ANY ("locales"));

-- The public form of an id (contract B1); an id of another kind can never stand here.
ALTER TABLE "users" ADD CONSTRAINT "users_id_format" CHECK ("id" ~ '^usr_[0-7][0-9a-hjkmnp-tv-z]{25}$');

-- Compared byte by byte: the unique index would let one person sign up twice.
ALTER TABLE "users" ADD CONSTRAINT "users_email_lower_case" CHECK ("email" = lower("email" COLLATE "C"));

-- RFC 5321 ends addresses at 254 characters.
ALTER TABLE "users" ADD CONSTRAINT "users_email_format" CHECK ("email" ~ '^[^@[:space:]]+@[^@[:space:]]+$' AND char_length("email") <= 254);

-- Shown beside what the person did.
ALTER TABLE "users" ADD CONSTRAINT "users_name_length" CHECK (char_length("name") BETWEEN 1 AND 200);

-- A password stored by mistake as it is does not fit.
ALTER TABLE "users" ADD CONSTRAINT "users_password_hash_argon2id" CHECK ("password_hash" LIKE '$argon2id$%');

-- Locations

-- The public form of an id (contract B1); an id of another kind can never stand here.
ALTER TABLE "locations" ADD CONSTRAINT "locations_id_format" CHECK ("id" ~ '^loc_[0-7][0-9a-hjkmnp-tv-z]{25}$');

-- Language to text of 1..200 characters, at least one: whatever else stood here would reach partners.
ALTER TABLE "locations" ADD CONSTRAINT "locations_name_translated" CHECK (jsonb_typeof("name") = 'object' AND "name" <> '{}' AND octet_length("name"::text) <= 16384
  AND NOT jsonb_path_exists("name", 'strict $.* ? (!(@.type() == "string" && @ like_regex "^.{1,200}$" flag "s"))', '{}', true));

-- Lines of an address, none of them optional on the wire (contract B4).
ALTER TABLE "locations" ADD CONSTRAINT "locations_address_length" CHECK (char_length("line1") BETWEEN 1 AND 200 AND char_length("city") BETWEEN 1 AND 200
  AND char_length("postal_code") BETWEEN 1 AND 20);

-- ISO 3166-1 alpha-2.
ALTER TABLE "locations" ADD CONSTRAINT "locations_country_format" CHECK ("country" ~ '^[A-Z]{2}$');

-- An IANA name, see tenants.
ALTER TABLE "locations" ADD CONSTRAINT "locations_time_zone_format" CHECK ("time_zone" ~ '^[A-Za-z0-9_+/-]{1,64}$');

-- Shown to guests; none is NULL, not empty.
ALTER TABLE "locations" ADD CONSTRAINT "locations_phone_length" CHECK (char_length("phone") BETWEEN 1 AND 40);

-- 1 is Monday, 7 is Sunday: another day would never come and the hours would silently not count.
ALTER TABLE "location_hours" ADD CONSTRAINT "location_hours_weekday" CHECK ("weekday" BETWEEN 1 AND 7);

-- Wall-clock minutes; the slot engine reads them without asking again.
ALTER TABLE "location_hours" ADD CONSTRAINT "location_hours_times" CHECK ("opens" ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$' AND "closes" ~ '^(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)$');

-- An array in which every entry is a pair of wall-clock times; anything else would be read as closed.
ALTER TABLE "location_exceptions" ADD CONSTRAINT "location_exceptions_hours" CHECK (octet_length("hours"::text) <= 4096 AND "hours" = jsonb_path_query_array("hours",
  'strict $[*] ? (@.opens like_regex "^([01][0-9]|2[0-3]):[0-5][0-9]$" && @.closes like_regex "^(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)$")', '{}', true));

-- A note is one remark; nothing is NULL, not empty.
ALTER TABLE "location_exceptions" ADD CONSTRAINT "location_exceptions_note_length" CHECK (char_length("note") BETWEEN 1 AND 500);

-- Services

-- The public form of an id (contract B1); an id of another kind can never stand here.
ALTER TABLE "services" ADD CONSTRAINT "services_id_format" CHECK ("id" ~ '^svc_[0-7][0-9a-hjkmnp-tv-z]{25}$');

-- See locations.
ALTER TABLE "services" ADD CONSTRAINT "services_name_translated" CHECK (jsonb_typeof("name") = 'object' AND "name" <> '{}' AND octet_length("name"::text) <= 16384
  AND NOT jsonb_path_exists("name", 'strict $.* ? (!(@.type() == "string" && @ like_regex "^.{1,200}$" flag "s"))', '{}', true));

-- Language to text, none of them empty; together at most 64 KiB, since the catalogue is kept in memory.
ALTER TABLE "services" ADD CONSTRAINT "services_description_translated" CHECK (jsonb_typeof("description") = 'object' AND octet_length("description"::text) <= 65536
  AND NOT jsonb_path_exists("description", 'strict $.* ? (!(@.type() == "string" && @ != ""))', '{}', true));

-- See locations.
ALTER TABLE "services" ADD CONSTRAINT "services_category_translated" CHECK (jsonb_typeof("category") = 'object' AND "category" <> '{}' AND octet_length("category"::text) <= 16384
  AND NOT jsonb_path_exists("category", 'strict $.* ? (!(@.type() == "string" && @ like_regex "^.{1,200}$" flag "s"))', '{}', true));

-- An empty range overlaps nothing and could be booked without end; a day is the longest the padded search range covers.
ALTER TABLE "services" ADD CONSTRAINT "services_duration" CHECK ("duration_minutes" BETWEEN 1 AND 1440);

-- The grid divides the minutes of a day (contract B6); zero would never end.
ALTER TABLE "services" ADD CONSTRAINT "services_slot_interval" CHECK ("slot_interval_minutes" BETWEEN 1 AND 1440);

-- A negative buffer would let two appointments overlap.
ALTER TABLE "services" ADD CONSTRAINT "services_buffers" CHECK ("buffer_before_minutes" BETWEEN 0 AND 1440 AND "buffer_after_minutes" BETWEEN 0 AND 1440);

-- An amount without a currency is no price (contract B4).
ALTER TABLE "services" ADD CONSTRAINT "services_price_complete" CHECK (("price_amount" IS NULL) = ("price_currency" IS NULL));

-- Nobody is paid for coming.
ALTER TABLE "services" ADD CONSTRAINT "services_price_amount" CHECK ("price_amount" >= 0);

-- ISO 4217.
ALTER TABLE "services" ADD CONSTRAINT "services_price_currency" CHECK ("price_currency" ~ '^[A-Z]{3}$');

-- A claim holds at least one guest.
ALTER TABLE "services" ADD CONSTRAINT "services_capacity" CHECK ("capacity" BETWEEN 1 AND 10000);

-- A negative lead would sell the past; a year is the longest.
ALTER TABLE "services" ADD CONSTRAINT "services_lead" CHECK ("min_lead_minutes" BETWEEN 0 AND 525600);

-- Without a day ahead nothing can be booked; five years bound the search.
ALTER TABLE "services" ADD CONSTRAINT "services_advance" CHECK ("max_advance_days" BETWEEN 1 AND 1825);

-- A negative cut-off would allow changes after the start (contract B7).
ALTER TABLE "services" ADD CONSTRAINT "services_cutoff" CHECK ("cancellation_cutoff_minutes" BETWEEN 0 AND 525600);

-- Specialists

-- The public form of an id (contract B1); an id of another kind can never stand here.
ALTER TABLE "specialists" ADD CONSTRAINT "specialists_id_format" CHECK ("id" ~ '^spc_[0-7][0-9a-hjkmnp-tv-z]{25}$');

-- Shown to guests.
ALTER TABLE "specialists" ADD CONSTRAINT "specialists_display_name_length" CHECK (char_length("display_name") BETWEEN 1 AND 200);

-- See locations.
ALTER TABLE "specialists" ADD CONSTRAINT "specialists_title_translated" CHECK (jsonb_typeof("title") = 'object' AND "title" <> '{}' AND octet_length("title"::text) <= 16384
  AND NOT jsonb_path_exists("title", 'strict $.* ? (!(@.type() == "string" && @ like_regex "^.{1,200}$" flag "s"))', '{}', true));

-- See services.
ALTER TABLE "specialists" ADD CONSTRAINT "specialists_description_translated" CHECK (jsonb_typeof("description") = 'object' AND octet_length("description"::text) <= 65536
  AND NOT jsonb_path_exists("description", 'strict $.* ? (!(@.type() == "string" && @ != ""))', '{}', true));

-- Partners put it into a page: no other scheme may come out of here.
ALTER TABLE "specialists" ADD CONSTRAINT "specialists_image_url" CHECK ("image_url" ~ '^https?://[^[:space:]]+$' AND char_length("image_url") <= 2048);

-- 1 is Monday, 7 is Sunday: another day would never come and the hours would silently not count.
ALTER TABLE "specialist_hours" ADD CONSTRAINT "specialist_hours_weekday" CHECK ("weekday" BETWEEN 1 AND 7);

-- Wall-clock minutes; the slot engine reads them without asking again.
ALTER TABLE "specialist_hours" ADD CONSTRAINT "specialist_hours_times" CHECK ("opens" ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$' AND "closes" ~ '^(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)$');

-- 1 is Monday, 7 is Sunday: another day would never come and the hours would silently not count.
ALTER TABLE "specialist_breaks" ADD CONSTRAINT "specialist_breaks_weekday" CHECK ("weekday" BETWEEN 1 AND 7);

-- Wall-clock minutes; the slot engine reads them without asking again.
ALTER TABLE "specialist_breaks" ADD CONSTRAINT "specialist_breaks_times" CHECK ("opens" ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$' AND "closes" ~ '^(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)$');

-- An array in which every entry is a pair of wall-clock times; anything else would be read as closed.
ALTER TABLE "specialist_exceptions" ADD CONSTRAINT "specialist_exceptions_hours" CHECK (octet_length("hours"::text) <= 4096 AND "hours" = jsonb_path_query_array("hours",
  'strict $[*] ? (@.opens like_regex "^([01][0-9]|2[0-3]):[0-5][0-9]$" && @.closes like_regex "^(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)$")', '{}', true));

-- A note is one remark; nothing is NULL, not empty.
ALTER TABLE "specialist_exceptions" ADD CONSTRAINT "specialist_exceptions_note_length" CHECK (char_length("note") BETWEEN 1 AND 500);

-- Time off that ends before it starts would take away nothing, silently.
ALTER TABLE "specialist_time_off" ADD CONSTRAINT "specialist_time_off_ends_after_start" CHECK ("ends_at" > "starts_at");

-- Applications and keys

-- The public form of an id (contract B1); an id of another kind can never stand here.
ALTER TABLE "applications" ADD CONSTRAINT "applications_id_format" CHECK ("id" ~ '^app_[0-7][0-9a-hjkmnp-tv-z]{25}$');

-- How the owner tells applications apart.
ALTER TABLE "applications" ADD CONSTRAINT "applications_name_length" CHECK (char_length("name") BETWEEN 1 AND 200);

-- The five scopes of contract A: a misspelt one would be a right that nobody can see.
ALTER TABLE "applications" ADD CONSTRAINT "applications_scopes" CHECK (cardinality("scopes") <= 5
  AND "scopes" <@ ARRAY['catalog.read', 'availability.read', 'booking.create', 'booking.manage', 'webhooks.manage']);

-- Compared with the Origin header as text: with a path or a slash at the end none would ever match.
ALTER TABLE "applications" ADD CONSTRAINT "applications_origins" CHECK (cardinality("origins") <= 100 AND "origins" = string_to_array(array_to_string("origins", ' '), ' ')
  AND array_to_string("origins", ' ') ~ '^(https?://[^/[:space:]]{1,255}( https?://[^/[:space:]]{1,255})*)?$');

-- Addresses and CIDR ranges; an entry that cannot be read would lock the application out.
ALTER TABLE "applications" ADD CONSTRAINT "applications_networks" CHECK (cardinality("networks") <= 100 AND "networks" = string_to_array(array_to_string("networks", ' '), ' ')
  AND array_to_string("networks", ' ') ~ '^([0-9A-Fa-f.:]{2,45}(/[0-9]{1,3})?( [0-9A-Fa-f.:]{2,45}(/[0-9]{1,3})?)*)?$');

-- Requests per minute (contract B9); zero would be a hidden suspension.
ALTER TABLE "applications" ADD CONSTRAINT "applications_quota" CHECK ("quota" BETWEEN 1 AND 1000000);

-- Only ever rises from 1.
ALTER TABLE "applications" ADD CONSTRAINT "applications_version" CHECK ("version" >= 1);

-- The public form of an id (contract B1); an id of another kind can never stand here.
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_id_format" CHECK ("id" ~ '^key_[0-7][0-9a-hjkmnp-tv-z]{25}$');

-- How the owner tells keys apart.
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_name_length" CHECK (char_length("name") BETWEEN 1 AND 200);

-- An HMAC-SHA-256: the key itself does not fit (contract B10).
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_hash_length" CHECK (octet_length("key_hash") = 32);

-- Nothing more of the key than what tells the environment.
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_prefix" CHECK ("prefix" IN ('pbk_test_', 'pbk_live_'));

-- Four characters for display and no more of the key.
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_last_four" CHECK ("last_four" ~ '^[0-9A-Za-z]{4}$');

-- Rotation copies the difference as a rule (contract B10).
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_expiry_after_creation" CHECK ("expires_at" > "created_at");

-- Rotation never prolongs the old key (contract B10).
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_overlap_within_expiry" CHECK ("overlap_ends_at" <= "expires_at");

-- A rotated key without an end would live on beside its successor.
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_rotation_complete" CHECK (("rotated_to_id" IS NULL) = ("overlap_ends_at" IS NULL));

-- A key that replaces itself would be in use and rotated at once.
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_rotated_to_another" CHECK ("rotated_to_id" <> "id");

-- Logs. No bounds on the lengths of request_log: lines are written in bulk, and one too long would cost all the others

-- The public form of an id (contract B1); an id of another kind can never stand here.
ALTER TABLE "request_log" ADD CONSTRAINT "request_log_id_format" CHECK ("request_id" ~ '^req_[0-7][0-9a-hjkmnp-tv-z]{25}$');

-- HTTP knows no other.
ALTER TABLE "request_log" ADD CONSTRAINT "request_log_status" CHECK ("status" BETWEEN 100 AND 599);

-- Measured with a monotonic clock.
ALTER TABLE "request_log" ADD CONSTRAINT "request_log_duration" CHECK ("duration_ms" >= 0);

-- A key names the application, which names the tenant: a line of one and not the other would be shown to the wrong owner or to none.
ALTER TABLE "request_log" ADD CONSTRAINT "request_log_known_together" CHECK (("tenant_id" IS NULL) = ("application_id" IS NULL) AND ("key_id" IS NULL OR "application_id" IS NOT NULL));

-- The address of a caller whom no tenant knows is nobody's to read.
ALTER TABLE "request_log" ADD CONSTRAINT "request_log_unknown_without_address" CHECK ("tenant_id" IS NOT NULL OR "address" IS NULL);

-- An HMAC-SHA-256: the raw key does not fit (contract B8).
ALTER TABLE "request_log" ADD CONSTRAINT "request_log_idempotency_hash_length" CHECK (octet_length("idempotency_key_hash") = 32);

-- The public form of an id (contract B1); an id of another kind can never stand here.
ALTER TABLE "audit_log" ADD CONSTRAINT "audit_log_id_format" CHECK ("id" ~ '^aud_[0-7][0-9a-hjkmnp-tv-z]{25}$');

-- A change that nobody made is no audit line.
ALTER TABLE "audit_log" ADD CONSTRAINT "audit_log_actor" CHECK ("actor_kind" = 'system' OR ("actor_kind" IN ('application', 'owner') AND "actor_id" IS NOT NULL));

-- Words of the program and ids, no free text.
ALTER TABLE "audit_log" ADD CONSTRAINT "audit_log_text_length" CHECK (char_length("action") BETWEEN 1 AND 64 AND char_length("object_kind") BETWEEN 1 AND 64
  AND char_length("object_id") BETWEEN 1 AND 64 AND char_length("actor_id") <= 64);

-- Secrets never: an API key or signing secret in a before or after stops the change.
ALTER TABLE "audit_log" ADD CONSTRAINT "audit_log_no_secret" CHECK (concat("before", "after") !~ '(pbk_(test|live)_|whsec_)[0-9A-Za-z+/]{16}');
