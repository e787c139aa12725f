-- Serves the list of an application's bookings with one external reference, newest first. A page of the list reads only
-- its own rows, even if a partner gives every booking the same reference. The search of the Control Center uses only
-- the first two columns.
CREATE INDEX "bookings_by_reference" ON "bookings"("tenant_id", "external_reference", "application_id", "created_at", "reference");
DROP INDEX "bookings_tenant_id_external_reference_idx";
ALTER INDEX "bookings_by_reference" RENAME TO "bookings_tenant_id_external_reference_idx";
