-- Prices that services get on a later date.

-- CreateTable
CREATE TABLE "scheduled_prices" (
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "service_id" TEXT COLLATE "C" NOT NULL,
    "valid_from" DATE NOT NULL,
    "amount" INTEGER NOT NULL,
    "currency" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "scheduled_prices_pkey" PRIMARY KEY ("tenant_id","service_id")
);

-- CreateIndex
CREATE INDEX "scheduled_prices_valid_from_idx" ON "scheduled_prices"("valid_from");

-- AddForeignKey
ALTER TABLE "scheduled_prices" ADD CONSTRAINT "scheduled_prices_tenant_id_service_id_fkey" FOREIGN KEY ("tenant_id", "service_id") REFERENCES "services"("tenant_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- As in `services`.
ALTER TABLE "scheduled_prices" ADD CONSTRAINT "scheduled_prices_amount" CHECK ("amount" >= 0);
ALTER TABLE "scheduled_prices" ADD CONSTRAINT "scheduled_prices_currency" CHECK ("currency" ~ '^[A-Z]{3}$');

-- At most about a year ahead, so that no price is forgotten. A day more than the procedure allows, because the time zone of
-- the business can be ahead of UTC, and a leap year is longer.
ALTER TABLE "scheduled_prices" ADD CONSTRAINT "scheduled_prices_valid_from" CHECK (isfinite("valid_from")
  AND "valid_from" BETWEEN ("created_at" AT TIME ZONE 'UTC')::date AND ("created_at" AT TIME ZONE 'UTC')::date + 368);

-- As in `tenant_policies`.
ALTER TABLE "scheduled_prices" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "scheduled_prices"
  USING ((SELECT coalesce(current_setting('partner_booking.tenant', true), '') = '')
    OR "tenant_id" = (SELECT current_setting('partner_booking.tenant', true)));
