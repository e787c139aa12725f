-- The new index also contains confirmed bookings. The Bookings page can list past bookings that are still confirmed,
-- because nobody has recorded their outcome. Without this index, PostgreSQL would read all past bookings to find them.
CREATE INDEX "bookings_by_status" ON "bookings"("tenant_id", "status", "starts_at");
DROP INDEX "bookings_tenant_id_status_starts_at_idx";
ALTER INDEX "bookings_by_status" RENAME TO "bookings_tenant_id_status_starts_at_idx";
