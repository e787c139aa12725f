ALTER TABLE "slot_claims" VALIDATE CONSTRAINT "slot_claims_times";
