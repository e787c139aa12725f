-- The Bookings page filters past bookings by confirmed: those without an outcome yet. They are few among all past
-- bookings, so the index on the start would read every past booking. The index now contains confirmed bookings too.
CREATE INDEX "bookings_by_status" ON "bookings"("tenant_id", "status", "starts_at");
DROP INDEX "bookings_tenant_id_status_starts_at_idx";
ALTER INDEX "bookings_by_status" RENAME TO "bookings_tenant_id_status_starts_at_idx";
