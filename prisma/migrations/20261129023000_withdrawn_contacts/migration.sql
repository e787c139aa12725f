-- Finds the contacts that retention removes after the appointment because the consent was withdrawn.
CREATE INDEX CONCURRENTLY "bookings_withdrawn_contacts" ON "bookings"("tenant_id", "ends_at")
  WHERE "consent_withdrawn_at" IS NOT NULL AND "customer_name" IS NOT NULL;
