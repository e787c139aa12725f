-- People type order numbers in either letter case, so the Control Center compares external references in lower case.
-- The query for partners, who list bookings by external reference, uses this index too. It also compares the unchanged
-- reference, which excludes references that differ only in case. The index on the unchanged reference is therefore no
-- longer needed.
CREATE INDEX "bookings_by_reference" ON "bookings"("tenant_id", lower("external_reference"), "application_id", "created_at", "reference");
DROP INDEX "bookings_tenant_id_external_reference_idx";
ALTER INDEX "bookings_by_reference" RENAME TO "bookings_tenant_id_external_reference_idx";
