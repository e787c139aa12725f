-- AlterTable
ALTER TABLE "applications" ADD COLUMN     "own_system" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "blocks" ADD COLUMN     "application_id" TEXT COLLATE "C",
ADD COLUMN     "external_id" TEXT COLLATE "C",
ADD COLUMN     "pushed_location_id" TEXT COLLATE "C",
ADD COLUMN     "pushed_from" TIMESTAMPTZ(3),
ADD COLUMN     "pushed_to" TIMESTAMPTZ(3);

-- CreateIndex
CREATE UNIQUE INDEX "blocks_application_id_external_id_key" ON "blocks"("application_id", "external_id");

-- AddForeignKey
ALTER TABLE "blocks" ADD CONSTRAINT "blocks_tenant_id_application_id_fkey" FOREIGN KEY ("tenant_id", "application_id") REFERENCES "applications"("tenant_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Only own systems have this scope, and all of them have it.
ALTER TABLE "applications" DROP CONSTRAINT "applications_scopes";
ALTER TABLE "applications" ADD CONSTRAINT "applications_scopes" CHECK (cardinality("scopes") <= 6
  AND "scopes" <@ ARRAY['catalog.read', 'availability.read', 'booking.create', 'booking.manage', 'webhooks.manage', 'busy.write']);
ALTER TABLE "applications" ADD CONSTRAINT "applications_own_system" CHECK ("own_system" = ('busy.write' = ANY ("scopes")));

-- An application pushes with its own id, and the instants that it stated.
ALTER TABLE "blocks" ADD CONSTRAINT "blocks_pushed" CHECK (
  num_nonnulls("application_id", "external_id", "pushed_location_id", "pushed_from", "pushed_to") = CASE WHEN "source" = 'system' THEN 5 ELSE 0 END
  AND "external_id" ~ '^[A-Za-z0-9_.~-]{1,100}$' AND "pushed_from" < "pushed_to");

-- The response to a pushed busy time (200) is stored for replays, too, and belongs to no booking. The new constraint does
-- not check the existing rows. The next migration checks them, without a lock that blocks writes.
ALTER TABLE "idempotency_keys" DROP CONSTRAINT "idempotency_keys_success";
ALTER TABLE "idempotency_keys" ADD CONSTRAINT "idempotency_keys_success" CHECK (
  ("status" IS NULL) = ("response" IS NULL) AND ("status" IN (200, 201, 202)) IS NOT FALSE
  AND CASE "status" WHEN 200 THEN true WHEN 201 THEN "booking_reference" IS NOT NULL ELSE "booking_reference" IS NULL END) NOT VALID;
