-- A front desk can be limited to locations. The rows of `member_locations` matter only if `all_locations` is false.
ALTER TABLE "memberships" ADD COLUMN "all_locations" BOOLEAN NOT NULL DEFAULT true;

-- The locations to which an invited front desk is limited. Empty for no limit.
ALTER TABLE "invitations" ADD COLUMN "location_ids" TEXT[] COLLATE "C" NOT NULL DEFAULT ARRAY[]::TEXT[];

CREATE TABLE "member_locations" (
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "user_id" TEXT COLLATE "C" NOT NULL,
    "location_id" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "member_locations_pkey" PRIMARY KEY ("tenant_id","user_id","location_id")
);

-- Deletes the rows of a location.
CREATE INDEX "member_locations_tenant_id_location_id_idx" ON "member_locations"("tenant_id", "location_id");

ALTER TABLE "member_locations" ADD CONSTRAINT "member_locations_tenant_id_user_id_fkey" FOREIGN KEY ("tenant_id", "user_id") REFERENCES "memberships"("tenant_id", "user_id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "member_locations" ADD CONSTRAINT "member_locations_tenant_id_location_id_fkey" FOREIGN KEY ("tenant_id", "location_id") REFERENCES "locations"("tenant_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- As in `tenant_policies`.
ALTER TABLE "member_locations" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "member_locations"
  USING ((SELECT coalesce(current_setting('partner_booking.tenant', true), '') = '')
    OR "tenant_id" = (SELECT current_setting('partner_booking.tenant', true)));

-- A server of the previous release changes a role without ending the limit.
CREATE OR REPLACE FUNCTION "end_location_limit"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW."all_locations" := true;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER "memberships_end_location_limit" BEFORE UPDATE OF "role" ON "memberships" FOR EACH ROW
  WHEN (NEW."role" <> 'FRONT_DESK' AND NOT NEW."all_locations") EXECUTE FUNCTION "end_location_limit"();

-- Only a front desk is limited. Owners and support see the whole business.
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_location_limit" CHECK ("all_locations" OR "role" = 'FRONT_DESK');
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_location_limit" CHECK ("location_ids" = '{}'
  OR ("role" = 'FRONT_DESK' AND cardinality("location_ids") <= 100));

-- The Control Center sets `partner_booking.locations` for a limited member. Then no statement changes a booking of another
-- location, whatever its conditions are. Reads compare the location themselves (`IN_REACH`), as `refuse_other_tenant` explains.
CREATE OR REPLACE FUNCTION "refuse_other_location"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the booking belongs to a location out of reach' USING ERRCODE = 'insufficient_privilege';
END $$;

CREATE OR REPLACE TRIGGER "bookings_insert_in_reach" BEFORE INSERT ON "bookings" FOR EACH ROW
  WHEN (NEW."location_id" <> ALL (string_to_array(nullif(current_setting('partner_booking.locations', true), ''), ',')))
  EXECUTE FUNCTION "refuse_other_location"();
CREATE OR REPLACE TRIGGER "bookings_update_in_reach" BEFORE UPDATE ON "bookings" FOR EACH ROW
  WHEN (OLD."location_id" <> ALL (string_to_array(nullif(current_setting('partner_booking.locations', true), ''), ','))
    OR NEW."location_id" <> ALL (string_to_array(nullif(current_setting('partner_booking.locations', true), ''), ',')))
  EXECUTE FUNCTION "refuse_other_location"();
CREATE OR REPLACE TRIGGER "bookings_delete_in_reach" BEFORE DELETE ON "bookings" FOR EACH ROW
  WHEN (OLD."location_id" <> ALL (string_to_array(nullif(current_setting('partner_booking.locations', true), ''), ',')))
  EXECUTE FUNCTION "refuse_other_location"();
