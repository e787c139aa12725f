-- The erasure of a customer from chosen bookings. A server that is killed leaves it running, and the next run continues. The
-- database itself refuses to call a booking or an erasure done while data of the customer is left.

-- CreateTable
CREATE TABLE "erasures" (
    "id" TEXT COLLATE "C" NOT NULL,
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "found_by" TEXT COLLATE "C" NOT NULL,
    "requested_by_id" TEXT COLLATE "C" NOT NULL,
    "state" TEXT COLLATE "C" NOT NULL DEFAULT 'running',
    "bookings" INTEGER NOT NULL,
    "counts" JSONB NOT NULL DEFAULT '{}',
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "erasures_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "erasure_bookings" (
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "erasure_id" TEXT COLLATE "C" NOT NULL,
    "reference" TEXT COLLATE "C" NOT NULL,
    "erased_at" TIMESTAMPTZ(3),

    CONSTRAINT "erasure_bookings_pkey" PRIMARY KEY ("erasure_id","reference")
);

-- CreateIndex
CREATE INDEX "erasures_tenant_id_created_at_idx" ON "erasures"("tenant_id", "created_at" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "erasures_tenant_id_id_key" ON "erasures"("tenant_id", "id");

-- CreateIndex
CREATE INDEX "erasure_bookings_tenant_id_erasure_id_idx" ON "erasure_bookings"("tenant_id", "erasure_id");

-- AddForeignKey
ALTER TABLE "erasures" ADD CONSTRAINT "erasures_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "erasure_bookings" ADD CONSTRAINT "erasure_bookings_tenant_id_erasure_id_fkey" FOREIGN KEY ("tenant_id", "erasure_id") REFERENCES "erasures"("tenant_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- The format of ids.
ALTER TABLE "erasures" ADD CONSTRAINT "erasures_id_format" CHECK ("id" ~ '^ers_[0-7][0-9a-hjkmnp-tv-z]{25}$');

-- What an owner searched for. The number or the name itself is never stored.
ALTER TABLE "erasures" ADD CONSTRAINT "erasures_found_by" CHECK ("found_by" IN ('phone', 'name'));

ALTER TABLE "erasures" ADD CONSTRAINT "erasures_state" CHECK ("state" IN ('running', 'done') AND ("state" = 'done') = ("finished_at" IS NOT NULL));

-- The limit of the procedure.
ALTER TABLE "erasures" ADD CONSTRAINT "erasures_bookings" CHECK ("bookings" BETWEEN 1 AND 500);

-- Numbers per kind of data, and nothing else.
ALTER TABLE "erasures" ADD CONSTRAINT "erasures_counts" CHECK (jsonb_typeof("counts") = 'object' AND octet_length("counts"::text) <= 1000
  AND NOT jsonb_path_exists("counts", '$.* ? (@.type() != "number")'));

-- A tenant has one running erasure, so that requests cannot pile up.
CREATE UNIQUE INDEX "erasures_running" ON "erasures"("tenant_id") WHERE "state" = 'running';

-- As in `tenant_policies`.
ALTER TABLE "erasures" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "erasures"
  USING ((SELECT coalesce(current_setting('partner_booking.tenant', true), '') = '')
    OR "tenant_id" = (SELECT current_setting('partner_booking.tenant', true)));
ALTER TABLE "erasure_bookings" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "erasure_bookings"
  USING ((SELECT coalesce(current_setting('partner_booking.tenant', true), '') = '')
    OR "tenant_id" = (SELECT current_setting('partner_booking.tenant', true)));

-- A booking counts as erased only without data of the customer. A restore and an import of a tenant insert what was true.
CREATE FUNCTION "require_erased_booking"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM bookings b WHERE b.reference = NEW.reference AND (b.customer_name IS NOT NULL
      OR b.customer_phone IS NOT NULL OR b.customer_email IS NOT NULL OR b.customer_locale IS NOT NULL OR b.note IS NOT NULL
      OR b.metadata IS NOT NULL OR b.phone_hash IS NOT NULL OR cardinality(b.name_hashes) > 0)) THEN
    RAISE EXCEPTION 'the booking still has data of the customer' USING ERRCODE = 'check_violation', CONSTRAINT = 'erasure_bookings_erased';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER "erasure_bookings_erased" BEFORE INSERT OR UPDATE ON "erasure_bookings" FOR EACH ROW
  WHEN (NEW."erased_at" IS NOT NULL AND coalesce(current_setting('partner_booking.loading', true), '') = '')
  EXECUTE FUNCTION "require_erased_booking"();

-- An erasure is done only when all of its bookings are.
CREATE FUNCTION "require_erasure"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (SELECT count(*) FROM erasure_bookings e WHERE e.erasure_id = NEW.id AND e.erased_at IS NOT NULL) <> NEW.bookings THEN
    RAISE EXCEPTION 'the erasure has bookings that are not erased' USING ERRCODE = 'check_violation', CONSTRAINT = 'erasures_done';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER "erasures_done" BEFORE INSERT OR UPDATE ON "erasures" FOR EACH ROW
  WHEN (NEW."state" = 'done' AND coalesce(current_setting('partner_booking.loading', true), '') = '')
  EXECUTE FUNCTION "require_erasure"();
