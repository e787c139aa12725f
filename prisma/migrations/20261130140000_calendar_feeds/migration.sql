-- CreateTable
CREATE TABLE "calendar_feeds" (
    "id" TEXT COLLATE "C" NOT NULL,
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "specialist_id" TEXT COLLATE "C",
    "location_id" TEXT COLLATE "C",
    "token_hash" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "issued_at" TIMESTAMPTZ(3) NOT NULL,
    "last_read_at" TIMESTAMPTZ(3),

    CONSTRAINT "calendar_feeds_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "calendar_feeds_token_hash_key" ON "calendar_feeds"("token_hash");

-- One feed per specialist, per location, and for the business. A feed of the business has neither a specialist nor a
-- location, so null values must be equal.
CREATE UNIQUE INDEX "calendar_feeds_tenant_id_specialist_id_location_id_key" ON "calendar_feeds"("tenant_id", "specialist_id", "location_id") NULLS NOT DISTINCT;

-- AddForeignKey
ALTER TABLE "calendar_feeds" ADD CONSTRAINT "calendar_feeds_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "calendar_feeds" ADD CONSTRAINT "calendar_feeds_tenant_id_specialist_id_fkey" FOREIGN KEY ("tenant_id", "specialist_id") REFERENCES "specialists"("tenant_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "calendar_feeds" ADD CONSTRAINT "calendar_feeds_tenant_id_location_id_fkey" FOREIGN KEY ("tenant_id", "location_id") REFERENCES "locations"("tenant_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- The format of ids.
ALTER TABLE "calendar_feeds" ADD CONSTRAINT "calendar_feeds_id_format" CHECK ("id" ~ '^cal_[0-7][0-9a-hjkmnp-tv-z]{25}$');

-- A feed is for one specialist, for one location, or for the whole business.
ALTER TABLE "calendar_feeds" ADD CONSTRAINT "calendar_feeds_subject" CHECK (num_nonnulls("specialist_id", "location_id") <= 1);

-- The length of an HMAC-SHA-256. A token itself is longer.
ALTER TABLE "calendar_feeds" ADD CONSTRAINT "calendar_feeds_hash_length" CHECK (octet_length("token_hash") = 32);

-- As in `tenant_policies`.
ALTER TABLE "calendar_feeds" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "calendar_feeds"
  USING ((SELECT coalesce(current_setting('partner_booking.tenant', true), '') = '')
    OR "tenant_id" = (SELECT current_setting('partner_booking.tenant', true)));
