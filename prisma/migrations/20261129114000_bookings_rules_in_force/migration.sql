-- Refuses a booking whose instants were derived with other time zone rules than those in force. Without this check, a
-- server with other rules could sell a local time a second time, at another instant. The server notices a change of the
-- rules by itself, but only after half a second. A server of an earlier version writes no `zone_rules`: it cannot be
-- checked. Only writes limited to a tenant are checked: a restore and an import load bookings as they were.
CREATE OR REPLACE FUNCTION "refuse_other_rules"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM "environment" WHERE "zone_rules" <> NEW."zone_rules") THEN
    RAISE EXCEPTION 'other time zone rules are in force' USING ERRCODE = 'PBZ01';
  END IF;
  RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER "bookings_rules_in_force" BEFORE INSERT OR UPDATE OF "zone_rules" ON "bookings" FOR EACH ROW
  WHEN (NEW."zone_rules" IS NOT NULL AND nullif(current_setting('partner_booking.tenant', true), '') IS NOT NULL)
  EXECUTE FUNCTION "refuse_other_rules"();
