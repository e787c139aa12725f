-- The location whose schedule a member looked at last. A row disappears with its membership or its location.
CREATE TABLE "remembered_locations" (
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "user_id" TEXT COLLATE "C" NOT NULL,
    "location_id" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "remembered_locations_pkey" PRIMARY KEY ("tenant_id","user_id")
);

-- Deletes the rows of a location.
CREATE INDEX "remembered_locations_tenant_id_location_id_idx" ON "remembered_locations"("tenant_id", "location_id");

ALTER TABLE "remembered_locations" ADD CONSTRAINT "remembered_locations_tenant_id_user_id_fkey" FOREIGN KEY ("tenant_id", "user_id") REFERENCES "memberships"("tenant_id", "user_id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "remembered_locations" ADD CONSTRAINT "remembered_locations_tenant_id_location_id_fkey" FOREIGN KEY ("tenant_id", "location_id") REFERENCES "locations"("tenant_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- As in `tenant_policies`.
ALTER TABLE "remembered_locations" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "remembered_locations"
  USING ((SELECT coalesce(current_setting('partner_booking.tenant', true), '') = '')
    OR "tenant_id" = (SELECT current_setting('partner_booking.tenant', true)));
