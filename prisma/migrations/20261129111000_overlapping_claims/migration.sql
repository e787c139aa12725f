-- The real range of a claim that a change of time zone rules moved, while it overlaps another claim of the specialist, or
-- may do so until all claims are moved. `during` is then empty, so that the exclusion constraint ignores the claim.
ALTER TABLE "slot_claims" ADD COLUMN "overlapping" tstzrange;

-- As before, but for the real range of the claim. The check is validated by the next migration, so that this one reads no
-- claims.
ALTER TABLE "slot_claims" DROP CONSTRAINT "slot_claims_times";
ALTER TABLE "slot_claims" ADD CONSTRAINT "slot_claims_times" CHECK ("starts_at" < "ends_at"
  AND isempty("during") = ("overlapping" IS NOT NULL) AND NOT isempty(coalesce("overlapping", "during"))
  AND NOT lower_inf(coalesce("overlapping", "during")) AND NOT upper_inf(coalesce("overlapping", "during"))
  AND lower_inc(coalesce("overlapping", "during")) AND NOT upper_inc(coalesce("overlapping", "during"))
  AND isfinite(lower(coalesce("overlapping", "during"))) AND isfinite(upper(coalesce("overlapping", "during")))
  AND lower(coalesce("overlapping", "during")) <= "starts_at" AND "ends_at" <= upper(coalesce("overlapping", "during")))
  NOT VALID;

-- Nothing more is sold on the time of an overlapping claim. Like a conflict with the exclusion constraint, the row is
-- skipped without an error, so that the write tries another specialist. Overlapping claims are only made while the tenant
-- is locked, so no write can miss one. Only writes limited to a tenant are checked: a restore and an import must load
-- every claim as it was.
CREATE OR REPLACE FUNCTION "skip_overlapping_claim"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM "slot_claims" WHERE "specialist_id" = NEW."specialist_id" AND "overlapping" && NEW."during")
  THEN
    RETURN NULL;
  END IF;
  RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER "slot_claims_insert_overlapping" BEFORE INSERT ON "slot_claims" FOR EACH ROW
  WHEN (NEW."overlapping" IS NULL AND nullif(current_setting('partner_booking.tenant', true), '') IS NOT NULL)
  EXECUTE FUNCTION "skip_overlapping_claim"();
CREATE OR REPLACE TRIGGER "slot_claims_seat_overlapping" BEFORE UPDATE OF "taken" ON "slot_claims" FOR EACH ROW
  WHEN (NEW."taken" > OLD."taken" AND nullif(current_setting('partner_booking.tenant', true), '') IS NOT NULL)
  EXECUTE FUNCTION "skip_overlapping_claim"();
