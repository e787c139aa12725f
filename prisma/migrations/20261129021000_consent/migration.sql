-- How and to which text a customer consented to be contacted, and when the consent was withdrawn.
--
-- The columns are nullable without a default, and the checks do not read existing rows, so writes wait only
-- milliseconds. The next migration validates the checks.
ALTER TABLE "bookings"
  ADD COLUMN "consent_source" TEXT,
  ADD COLUMN "consent_text_version" TEXT,
  ADD COLUMN "consent_withdrawn_at" TIMESTAMPTZ(3);
ALTER TABLE "bookings"
  ADD CONSTRAINT "bookings_consent_source" CHECK (length("consent_source") BETWEEN 1 AND 100) NOT VALID,
  ADD CONSTRAINT "bookings_consent_text_version" CHECK (length("consent_text_version") BETWEEN 1 AND 100) NOT VALID,
  -- Consent cannot be withdrawn before it was given.
  ADD CONSTRAINT "bookings_consent_withdrawn" CHECK ("consent_withdrawn_at" >= "consent_at") NOT VALID;
