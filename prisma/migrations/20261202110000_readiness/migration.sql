-- CreateTable
CREATE TABLE "readiness_records" (
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "application_id" TEXT COLLATE "C" NOT NULL,
    "kind" TEXT COLLATE "C" NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "value" JSONB NOT NULL,

    CONSTRAINT "readiness_records_pkey" PRIMARY KEY ("application_id", "kind")
);

-- AddForeignKey
ALTER TABLE "readiness_records" ADD CONSTRAINT "readiness_records_tenant_id_application_id_fkey" FOREIGN KEY ("tenant_id", "application_id") REFERENCES "applications"("tenant_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What a row can contain.
ALTER TABLE "readiness_records" ADD CONSTRAINT "readiness_records_kind" CHECK ("kind" IN ('certificate', 'conformance', 'signature'));

-- A certificate has at most 8,192 characters.
ALTER TABLE "readiness_records" ADD CONSTRAINT "readiness_records_value" CHECK (jsonb_typeof("value") = 'object' AND octet_length("value"::text) <= 16384);

-- As in `tenant_policies`.
ALTER TABLE "readiness_records" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "readiness_records"
  USING ((SELECT coalesce(current_setting('partner_booking.tenant', true), '') = '')
    OR "tenant_id" = (SELECT current_setting('partner_booking.tenant', true)));
