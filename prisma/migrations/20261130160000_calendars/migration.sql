-- AlterTable
ALTER TABLE "blocks" ADD COLUMN     "calendar_id" TEXT COLLATE "C";

-- CreateTable
CREATE TABLE "calendars" (
    "id" TEXT COLLATE "C" NOT NULL,
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "specialist_id" TEXT COLLATE "C",
    "location_id" TEXT COLLATE "C",
    "subject_id" TEXT COLLATE "C" NOT NULL,
    "name" TEXT NOT NULL,
    "url" BYTEA,
    "show_titles" BOOLEAN NOT NULL,
    "block_when_stale" BOOLEAN NOT NULL,
    "etag" TEXT,
    "last_modified" TEXT,
    "read_at" TIMESTAMPTZ(3),
    "read_until" DATE,
    "read_zones" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[],
    "busy_times" INTEGER NOT NULL DEFAULT 0,
    "unread_entries" INTEGER NOT NULL DEFAULT 0,
    "last_success_at" TIMESTAMPTZ(3),
    "last_attempt_at" TIMESTAMPTZ(3),
    "failures" INTEGER NOT NULL DEFAULT 0,
    "problem" TEXT,
    "next_attempt_at" TIMESTAMPTZ(3),
    "leased_until" TIMESTAMPTZ(3),
    "generation" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "removed_at" TIMESTAMPTZ(3),

    CONSTRAINT "calendars_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "calendars_tenant_id_specialist_id_idx" ON "calendars"("tenant_id", "specialist_id");

-- CreateIndex
CREATE INDEX "calendars_tenant_id_location_id_idx" ON "calendars"("tenant_id", "location_id");

-- CreateIndex
CREATE UNIQUE INDEX "calendars_tenant_id_subject_id_id_key" ON "calendars"("tenant_id", "subject_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "blocks_calendar_id_source_starts_at_ends_at_key" ON "blocks"("calendar_id", "source", "starts_at", "ends_at");

-- AddForeignKey
ALTER TABLE "blocks" ADD CONSTRAINT "blocks_tenant_id_subject_id_calendar_id_fkey" FOREIGN KEY ("tenant_id", "subject_id", "calendar_id") REFERENCES "calendars"("tenant_id", "subject_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "calendars" ADD CONSTRAINT "calendars_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "calendars" ADD CONSTRAINT "calendars_tenant_id_specialist_id_fkey" FOREIGN KEY ("tenant_id", "specialist_id") REFERENCES "specialists"("tenant_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "calendars" ADD CONSTRAINT "calendars_tenant_id_location_id_fkey" FOREIGN KEY ("tenant_id", "location_id") REFERENCES "locations"("tenant_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;


-- The format of ids.
ALTER TABLE "calendars" ADD CONSTRAINT "calendars_id_format" CHECK ("id" ~ '^cld_[0-7][0-9a-hjkmnp-tv-z]{25}$');

-- A calendar is that of a specialist or of a location.
ALTER TABLE "calendars" ADD CONSTRAINT "calendars_subject" CHECK (num_nonnulls("specialist_id", "location_id") = 1
  AND "subject_id" = coalesce("specialist_id", "location_id"));

-- The same limits as in the procedures, and those of what is kept of a server's response.
ALTER TABLE "calendars" ADD CONSTRAINT "calendars_name_length" CHECK (char_length("name") BETWEEN 1 AND 100);
ALTER TABLE "calendars" ADD CONSTRAINT "calendars_url_length" CHECK (octet_length("url") BETWEEN 29 AND 8400);
ALTER TABLE "calendars" ADD CONSTRAINT "calendars_validators_length" CHECK (char_length("etag") <= 256 AND char_length("last_modified") <= 256);

-- Only a calendar with a URL is fetched, and not while it is removed.
ALTER TABLE "calendars" ADD CONSTRAINT "calendars_attempts" CHECK (("next_attempt_at" IS NULL) = ("url" IS NULL OR "removed_at" IS NOT NULL)
  AND ("leased_until" IS NULL OR "next_attempt_at" IS NOT NULL) AND "failures" >= 0 AND ("failures" = 0) = ("problem" IS NULL));

-- A code without text of a server.
ALTER TABLE "calendars" ADD CONSTRAINT "calendars_problem" CHECK ("problem" ~ '^[a-z_]{1,40}$');

-- The limits of the reader.
ALTER TABLE "calendars" ADD CONSTRAINT "calendars_counts" CHECK ("busy_times" BETWEEN 0 AND 20000 AND "unread_entries" BETWEEN 0 AND 20000);

-- The next calendar to fetch. Uploaded and removed calendars are not in this index.
CREATE INDEX "calendars_due" ON "calendars"("next_attempt_at") WHERE "next_attempt_at" IS NOT NULL;

-- As in `tenant_policies`.
ALTER TABLE "calendars" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "calendars"
  USING ((SELECT coalesce(current_setting('partner_booking.tenant', true), '') = '')
    OR "tenant_id" = (SELECT current_setting('partner_booking.tenant', true)));

-- While a calendar cannot be read, its owner can let all time count as busy.
ALTER TABLE "blocks" DROP CONSTRAINT "blocks_source";
ALTER TABLE "blocks" ADD CONSTRAINT "blocks_source" CHECK ("source" IN ('owner', 'calendar', 'calendar_outage', 'system')
  AND ("source" LIKE 'calendar%') = ("calendar_id" IS NOT NULL));
