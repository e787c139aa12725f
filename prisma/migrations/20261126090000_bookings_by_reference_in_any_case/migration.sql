-- People type order numbers in either letter case, so the Control Center compares external references in lower case.
-- This index replaces the index on the unchanged reference, so each booking still has only one index entry for its
-- external reference. When a partner lists bookings by external reference, the query uses this index too. That query
-- also compares the unchanged reference, and so excludes references that differ only in case.
CREATE INDEX "bookings_by_reference" ON "bookings"("tenant_id", lower("external_reference"), "application_id", "created_at", "reference");
DROP INDEX "bookings_tenant_id_external_reference_idx";
ALTER INDEX "bookings_by_reference" RENAME TO "bookings_tenant_id_external_reference_idx";
