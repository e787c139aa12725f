-- Time that is not free although nobody booked it. Servers of earlier versions neither write nor read these tables.

-- CreateTable
CREATE TABLE "blocks" (
    "id" TEXT COLLATE "C" NOT NULL,
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "specialist_id" TEXT COLLATE "C",
    "location_id" TEXT COLLATE "C",
    "subject_id" TEXT COLLATE "C" NOT NULL,
    "starts_at" TIMESTAMP(0) NOT NULL,
    "ends_at" TIMESTAMP(0) NOT NULL,
    "every_weeks" SMALLINT,
    "weekdays" SMALLINT[] NOT NULL DEFAULT ARRAY[]::SMALLINT[],
    "until" DATE,
    "last_day" DATE NOT NULL,
    "reason" TEXT,
    "source" TEXT NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_by_id" TEXT COLLATE "C",
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "blocks_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "block_days" (
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "subject_id" TEXT COLLATE "C" NOT NULL,
    "block_id" TEXT COLLATE "C" NOT NULL,
    "day" DATE NOT NULL,
    "from_minute" SMALLINT NOT NULL,
    "to_minute" SMALLINT NOT NULL,

    CONSTRAINT "block_days_pkey" PRIMARY KEY ("subject_id","day","from_minute","block_id")
);

-- CreateIndex
CREATE INDEX "blocks_tenant_id_last_day_idx" ON "blocks"("tenant_id", "last_day");

-- CreateIndex
CREATE INDEX "blocks_tenant_id_specialist_id_idx" ON "blocks"("tenant_id", "specialist_id");

-- CreateIndex
CREATE INDEX "blocks_tenant_id_location_id_idx" ON "blocks"("tenant_id", "location_id");

-- CreateIndex
CREATE UNIQUE INDEX "blocks_tenant_id_subject_id_id_key" ON "blocks"("tenant_id", "subject_id", "id");

-- CreateIndex
CREATE INDEX "block_days_tenant_id_subject_id_block_id_idx" ON "block_days"("tenant_id", "subject_id", "block_id");

-- AddForeignKey
ALTER TABLE "blocks" ADD CONSTRAINT "blocks_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "blocks" ADD CONSTRAINT "blocks_tenant_id_specialist_id_fkey" FOREIGN KEY ("tenant_id", "specialist_id") REFERENCES "specialists"("tenant_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "blocks" ADD CONSTRAINT "blocks_tenant_id_location_id_fkey" FOREIGN KEY ("tenant_id", "location_id") REFERENCES "locations"("tenant_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "block_days" ADD CONSTRAINT "block_days_tenant_id_subject_id_block_id_fkey" FOREIGN KEY ("tenant_id", "subject_id", "block_id") REFERENCES "blocks"("tenant_id", "subject_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- The format of ids. The prefix excludes ids of other kinds of records.
ALTER TABLE "blocks" ADD CONSTRAINT "blocks_id_format" CHECK ("id" ~ '^blk_[0-7][0-9a-hjkmnp-tv-z]{25}$');

-- A block closes a specialist, a location, or the business. Availability finds it by the id of what it closes.
ALTER TABLE "blocks" ADD CONSTRAINT "blocks_subject" CHECK (num_nonnulls("specialist_id", "location_id") <= 1
  AND "subject_id" = coalesce("specialist_id", "location_id", "tenant_id"));

-- The number of a block's days is limited, because each is a row.
ALTER TABLE "blocks" ADD CONSTRAINT "blocks_range" CHECK ("starts_at" < "ends_at" AND "ends_at" <= "starts_at" + interval '366 days'
  AND "starts_at" >= '2000-01-01' AND "ends_at" <= '2200-01-01' AND date_trunc('minute', "starts_at") = "starts_at" AND date_trunc('minute', "ends_at") = "ends_at");

-- Occurrences of at most a day never overlap. Two years of them are at most 732.
ALTER TABLE "blocks" ADD CONSTRAINT "blocks_repeat" CHECK (num_nonnulls("every_weeks", "until") = 0 AND "weekdays" = '{}'
  OR num_nonnulls("every_weeks", "until") = 2 AND "every_weeks" BETWEEN 1 AND 52
    AND cardinality("weekdays") BETWEEN 1 AND 7 AND array_position("weekdays", NULL) IS NULL AND "weekdays" <@ '{1,2,3,4,5,6,7}'
    AND "until" BETWEEN "starts_at"::date AND "starts_at"::date + 731 AND "ends_at" <= "starts_at" + interval '1 day');

-- Retention deletes a block by its last day.
ALTER TABLE "blocks" ADD CONSTRAINT "blocks_last_day" CHECK ("last_day" BETWEEN "starts_at"::date AND coalesce("until" + 1, "ends_at"::date));

-- The same limit as in the procedures.
ALTER TABLE "blocks" ADD CONSTRAINT "blocks_reason_length" CHECK (char_length("reason") BETWEEN 1 AND 200);

ALTER TABLE "blocks" ADD CONSTRAINT "blocks_source" CHECK ("source" IN ('owner', 'calendar', 'system'));

-- A part of a block lies within one day.
ALTER TABLE "block_days" ADD CONSTRAINT "block_days_minutes" CHECK (0 <= "from_minute" AND "from_minute" < "to_minute" AND "to_minute" <= 1440);

ALTER TABLE "blocks" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "blocks"
  USING ((SELECT coalesce(current_setting('partner_booking.tenant', true), '') = '')
    OR "tenant_id" = (SELECT current_setting('partner_booking.tenant', true)));

-- PostgreSQL uses the primary key for searches under the policy, because `=` of texts and `<=` of dates are leakproof.
ALTER TABLE "block_days" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "block_days"
  USING ((SELECT coalesce(current_setting('partner_booking.tenant', true), '') = '')
    OR "tenant_id" = (SELECT current_setting('partner_booking.tenant', true)));
