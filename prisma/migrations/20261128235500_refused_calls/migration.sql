-- CreateTable
CREATE TABLE "refused_calls" (
    "id" TEXT COLLATE "C" NOT NULL,
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "user_id" TEXT COLLATE "C" NOT NULL,
    "procedure" TEXT,
    "code" TEXT NOT NULL,
    "minute" TIMESTAMPTZ(3) NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "calls" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "refused_calls_pkey" PRIMARY KEY ("id")
);

-- Repeated calls within one minute share a row, which limits the number of rows that a member can add. Because of NULLS
-- NOT DISTINCT, the calls without a procedure share a row too.
CREATE UNIQUE INDEX "refused_calls_of_a_minute" ON "refused_calls"("user_id", "tenant_id", "minute", "procedure", "code") NULLS NOT DISTINCT;

-- CreateIndex
CREATE INDEX "refused_calls_tenant_id_at_idx" ON "refused_calls"("tenant_id", "at" DESC);

-- AddForeignKey
ALTER TABLE "refused_calls" ADD CONSTRAINT "refused_calls_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "refused_calls" ADD CONSTRAINT "refused_calls_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- The format of ids.
ALTER TABLE "refused_calls" ADD CONSTRAINT "refused_calls_id_format" CHECK ("id" ~ '^rfc_[0-7][0-9a-hjkmnp-tv-z]{25}$');

-- The name of a procedure, never text of a caller.
ALTER TABLE "refused_calls" ADD CONSTRAINT "refused_calls_procedure" CHECK (char_length("procedure") <= 64 AND "procedure" ~ '^[a-z_]+(\.[a-z_]+)*$');

-- The codes that the pages can display.
ALTER TABLE "refused_calls" ADD CONSTRAINT "refused_calls_code" CHECK ("code" IN ('forbidden', 'not_found', 'second_factor_required'));

-- `minute` is the start of a minute, so that all calls within this minute share a row.
ALTER TABLE "refused_calls" ADD CONSTRAINT "refused_calls_minute" CHECK (EXTRACT(epoch FROM "minute") % 60 = 0 AND "at" >= "minute" AND "at" < "minute" + interval '1 minute');

-- Each row stands for at least one call.
ALTER TABLE "refused_calls" ADD CONSTRAINT "refused_calls_calls" CHECK ("calls" > 0);

-- Row-level security, as in `tenant_policies`.
ALTER TABLE "refused_calls" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "refused_calls"
  USING ((SELECT coalesce(current_setting('partner_booking.tenant', true), '') = '')
    OR "tenant_id" = (SELECT current_setting('partner_booking.tenant', true)));
