-- The Bookings page can show past bookings that are still confirmed, because nobody has recorded their outcome. To find
-- these few bookings, a query with the index on the start would read every past booking. The index on the status
-- therefore contains confirmed bookings too.
CREATE INDEX "bookings_by_status" ON "bookings"("tenant_id", "status", "starts_at");
DROP INDEX "bookings_tenant_id_status_starts_at_idx";
ALTER INDEX "bookings_by_status" RENAME TO "bookings_tenant_id_status_starts_at_idx";
