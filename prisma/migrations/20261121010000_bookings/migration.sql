-- Made by Prisma Migrate, then edited: what Prisma cannot express stands here with its reason.
-- Every id and what refers to one is COLLATE "C", as in the foundation.

-- An equality and a range in one exclusion constraint.
CREATE EXTENSION IF NOT EXISTS btree_gist;

-- CreateEnum
CREATE TYPE "BookingStatus" AS ENUM ('confirmed', 'cancelled', 'completed', 'no_show');

-- CreateTable
CREATE TABLE "slot_claims" (
    "id" UUID NOT NULL,
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "specialist_id" TEXT COLLATE "C" NOT NULL,
    "service_id" TEXT COLLATE "C" NOT NULL,
    "location_id" TEXT COLLATE "C" NOT NULL,
    "starts_at" TIMESTAMPTZ(0) NOT NULL,
    "ends_at" TIMESTAMPTZ(0) NOT NULL,
    "during" tstzrange NOT NULL,
    "capacity" INTEGER NOT NULL,
    "taken" INTEGER NOT NULL,

    CONSTRAINT "slot_claims_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "bookings" (
    "reference" TEXT COLLATE "C" NOT NULL,
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "application_id" TEXT COLLATE "C" NOT NULL,
    "claim_id" UUID,
    "status" "BookingStatus" NOT NULL DEFAULT 'confirmed',
    "version" INTEGER NOT NULL DEFAULT 1,
    "service_id" TEXT COLLATE "C" NOT NULL,
    "location_id" TEXT COLLATE "C" NOT NULL,
    "specialist_id" TEXT COLLATE "C" NOT NULL,
    "starts_at" TIMESTAMPTZ(0) NOT NULL,
    "ends_at" TIMESTAMPTZ(0) NOT NULL,
    "time_zone" TEXT NOT NULL,
    "cancellation_cutoff_minutes" INTEGER NOT NULL,
    "external_reference" TEXT NOT NULL,
    "consent_at" TIMESTAMPTZ(3) NOT NULL,
    "customer_name" BYTEA,
    "customer_phone" BYTEA,
    "cancelled_at" TIMESTAMPTZ(3),
    "cancelled_by" TEXT,
    "cancel_reason" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "bookings_pkey" PRIMARY KEY ("reference")
);

-- CreateTable
CREATE TABLE "idempotency_keys" (
    "application_id" TEXT COLLATE "C" NOT NULL,
    "key_hash" BYTEA NOT NULL,
    "fingerprint" BYTEA NOT NULL,
    "request_id" TEXT COLLATE "C" NOT NULL,
    "status" SMALLINT,
    "response" BYTEA,
    "booking_reference" TEXT COLLATE "C",
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "idempotency_keys_pkey" PRIMARY KEY ("application_id","key_hash")
);

-- CreateTable
CREATE TABLE "events" (
    "id" TEXT COLLATE "C" NOT NULL,
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "application_id" TEXT COLLATE "C" NOT NULL,
    "type" TEXT NOT NULL,
    "booking_reference" TEXT COLLATE "C",
    "version" INTEGER,
    "actor" TEXT NOT NULL,
    "request_id" TEXT COLLATE "C",
    "payload" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "events_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "bookings_claim_id_idx" ON "bookings"("claim_id");

-- CreateIndex
CREATE INDEX "bookings_tenant_id_starts_at_idx" ON "bookings"("tenant_id", "starts_at");

-- CreateIndex
CREATE INDEX "bookings_tenant_id_external_reference_idx" ON "bookings"("tenant_id", "external_reference");

-- CreateIndex
CREATE INDEX "bookings_tenant_id_application_id_idx" ON "bookings"("tenant_id", "application_id");

-- CreateIndex
CREATE INDEX "idempotency_keys_expires_at_idx" ON "idempotency_keys"("expires_at");

-- CreateIndex
CREATE INDEX "idempotency_keys_booking_reference_idx" ON "idempotency_keys"("booking_reference");

-- CreateIndex
CREATE INDEX "events_tenant_id_at_idx" ON "events"("tenant_id", "at" DESC);

-- CreateIndex
CREATE INDEX "events_request_id_idx" ON "events"("request_id");

-- CreateIndex
CREATE UNIQUE INDEX "events_booking_reference_version_key" ON "events"("booking_reference", "version");

-- AddForeignKey
ALTER TABLE "slot_claims" ADD CONSTRAINT "slot_claims_tenant_id_specialist_id_fkey" FOREIGN KEY ("tenant_id", "specialist_id") REFERENCES "specialists"("tenant_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "slot_claims" ADD CONSTRAINT "slot_claims_tenant_id_service_id_fkey" FOREIGN KEY ("tenant_id", "service_id") REFERENCES "services"("tenant_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "slot_claims" ADD CONSTRAINT "slot_claims_tenant_id_location_id_fkey" FOREIGN KEY ("tenant_id", "location_id") REFERENCES "locations"("tenant_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "bookings" ADD CONSTRAINT "bookings_tenant_id_application_id_fkey" FOREIGN KEY ("tenant_id", "application_id") REFERENCES "applications"("tenant_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "bookings" ADD CONSTRAINT "bookings_tenant_id_service_id_fkey" FOREIGN KEY ("tenant_id", "service_id") REFERENCES "services"("tenant_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "bookings" ADD CONSTRAINT "bookings_tenant_id_location_id_fkey" FOREIGN KEY ("tenant_id", "location_id") REFERENCES "locations"("tenant_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "bookings" ADD CONSTRAINT "bookings_tenant_id_specialist_id_fkey" FOREIGN KEY ("tenant_id", "specialist_id") REFERENCES "specialists"("tenant_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
-- Checked at COMMIT: a reschedule deletes the old claim before it has the new one.
ALTER TABLE "bookings" ADD CONSTRAINT "bookings_claim_id_fkey" FOREIGN KEY ("claim_id") REFERENCES "slot_claims"("id") ON DELETE NO ACTION ON UPDATE NO ACTION
  DEFERRABLE INITIALLY DEFERRED;

-- AddForeignKey
ALTER TABLE "idempotency_keys" ADD CONSTRAINT "idempotency_keys_application_id_fkey" FOREIGN KEY ("application_id") REFERENCES "applications"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "events" ADD CONSTRAINT "events_tenant_id_application_id_fkey" FOREIGN KEY ("tenant_id", "application_id") REFERENCES "applications"("tenant_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "events" ADD CONSTRAINT "events_booking_reference_fkey" FOREIGN KEY ("booking_reference") REFERENCES "bookings"("reference") ON DELETE CASCADE ON UPDATE CASCADE;

-- Slot claims

-- No two claims of a specialist overlap, buffers included: a slot is never sold twice, whatever the code above does.
ALTER TABLE "slot_claims" ADD CONSTRAINT "slot_claims_no_overlap" EXCLUDE USING gist ("specialist_id" WITH =, "during" WITH &&);

-- Never more guests than seats; the last one out deletes the claim, so one without guests cannot be.
ALTER TABLE "slot_claims" ADD CONSTRAINT "slot_claims_seats" CHECK ("capacity" BETWEEN 1 AND 10000 AND "taken" BETWEEN 1 AND "capacity");

-- The time itself lies within what is claimed, and the claim has both its ends: an endless one would block for ever.
-- A bound that is 'infinity' is a bound to lower_inf and upper_inf, so that is asked too.
ALTER TABLE "slot_claims" ADD CONSTRAINT "slot_claims_times" CHECK ("starts_at" < "ends_at" AND NOT isempty("during")
  AND NOT lower_inf("during") AND NOT upper_inf("during") AND lower_inc("during") AND NOT upper_inc("during")
  AND isfinite(lower("during")) AND isfinite(upper("during"))
  AND lower("during") <= "starts_at" AND "ends_at" <= upper("during"));

-- Bookings

-- The public form of a reference (contract B1).
ALTER TABLE "bookings" ADD CONSTRAINT "bookings_reference_format" CHECK ("reference" ~ '^pbr_[0-9a-hjkmnp-tv-z]{26}$');

-- Only ever rises from 1 (contract B7).
ALTER TABLE "bookings" ADD CONSTRAINT "bookings_version" CHECK ("version" >= 1);

-- Only a cancelled booking has no seat, and no other state frees one (contract B7).
ALTER TABLE "bookings" ADD CONSTRAINT "bookings_seat" CHECK (("claim_id" IS NULL) = ("status" = 'cancelled'));

-- A cancellation says when and by whom, and nothing else does.
ALTER TABLE "bookings" ADD CONSTRAINT "bookings_cancellation" CHECK (
  ("cancelled_at" IS NULL) = ("status" <> 'cancelled') AND ("cancelled_by" IS NULL) = ("status" <> 'cancelled')
  AND ("cancelled_by" IN ('partner', 'owner')) IS NOT FALSE
  AND ("cancel_reason" IS NULL OR ("status" = 'cancelled' AND "cancel_reason" IN ('customer_request', 'duplicate', 'other'))));

-- A booking has a length, and a deadline that is not after its start.
ALTER TABLE "bookings" ADD CONSTRAINT "bookings_times" CHECK ("starts_at" < "ends_at" AND isfinite("starts_at")
  AND isfinite("ends_at") AND "cancellation_cutoff_minutes" >= 0);

-- As the contract bounds it (B7).
ALTER TABLE "bookings" ADD CONSTRAINT "bookings_external_reference" CHECK (char_length("external_reference") BETWEEN 1 AND 128);

-- Half a contact is an anonymisation that failed.
ALTER TABLE "bookings" ADD CONSTRAINT "bookings_customer" CHECK (("customer_name" IS NULL) = ("customer_phone" IS NULL));

-- Idempotency keys

-- HMAC-SHA-256: neither the key nor the request itself fits (contract B8).
ALTER TABLE "idempotency_keys" ADD CONSTRAINT "idempotency_keys_hashes" CHECK (octet_length("key_hash") = 32 AND octet_length("fingerprint") = 32);

-- Only successes are stored, and whole (contract B8).
ALTER TABLE "idempotency_keys" ADD CONSTRAINT "idempotency_keys_success" CHECK (
  ("status" IS NULL) = ("response" IS NULL) AND ("status" IS NULL) = ("booking_reference" IS NULL)
  AND ("status" IN (200, 201)) IS NOT FALSE);

-- A key without a life would be taken over by its own twin.
ALTER TABLE "idempotency_keys" ADD CONSTRAINT "idempotency_keys_life" CHECK ("expires_at" > "created_at");

-- Events

-- The public form of an id (contract B1); an id of another kind can never stand here.
ALTER TABLE "events" ADD CONSTRAINT "events_id_format" CHECK ("id" ~ '^evt_[0-7][0-9a-hjkmnp-tv-z]{25}$');

-- The types of contract B11; each but the test speaks of one version of a booking.
ALTER TABLE "events" ADD CONSTRAINT "events_type" CHECK (
  "type" IN ('booking.created', 'booking.rescheduled', 'booking.cancelled', 'booking.completed', 'booking.no_show', 'webhook.test')
  AND ("type" = 'webhook.test') = ("booking_reference" IS NULL) AND ("booking_reference" IS NULL) = ("version" IS NULL)
  AND ("version" >= 1) IS NOT FALSE);

-- Who caused it (contract B11).
ALTER TABLE "events" ADD CONSTRAINT "events_actor" CHECK ("actor" IN ('partner', 'owner', 'system'));

-- A body of a known shape; a larger one is a mistake.
ALTER TABLE "events" ADD CONSTRAINT "events_payload_length" CHECK (char_length("payload") BETWEEN 2 AND 16384);
