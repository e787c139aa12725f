-- People type order numbers in either letter case, so the Control Center compares external references in lower case.
-- This index replaces the index on the reference as given, so a booking still has one index entry for it. A partner's
-- list by external reference uses this index too. The list also compares the reference as given, and so excludes
-- references that differ only in case.
CREATE INDEX "bookings_by_reference" ON "bookings"("tenant_id", lower("external_reference"), "application_id", "created_at", "reference");
DROP INDEX "bookings_tenant_id_external_reference_idx";
ALTER INDEX "bookings_by_reference" RENAME TO "bookings_tenant_id_external_reference_idx";
