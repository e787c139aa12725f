-- Made by Prisma Migrate, then edited: what Prisma cannot express stands here with its reason.

-- Each filter of the Bookings page finds its rows in the order of their start without reading the others.
DROP INDEX "bookings_tenant_id_application_id_idx";
CREATE INDEX "bookings_tenant_id_application_id_starts_at_idx" ON "bookings"("tenant_id", "application_id", "starts_at");

CREATE INDEX "bookings_tenant_id_service_id_starts_at_idx" ON "bookings"("tenant_id", "service_id", "starts_at");

CREATE INDEX "bookings_tenant_id_location_id_starts_at_idx" ON "bookings"("tenant_id", "location_id", "starts_at");

CREATE INDEX "bookings_tenant_id_specialist_id_starts_at_idx" ON "bookings"("tenant_id", "specialist_id", "starts_at");

-- What is not confirmed any more is looked for; a new booking, which is, does not pay for it.
CREATE INDEX "bookings_tenant_id_status_starts_at_idx" ON "bookings"("tenant_id", "status", "starts_at") WHERE "status" <> 'confirmed';

-- Sorted by when they were made. With a filter, either few rows fit and are sorted, or many do and the newest are near.
CREATE INDEX "bookings_tenant_id_created_at_idx" ON "bookings"("tenant_id", "created_at");

-- What happened to one object, as its own page and the Audit page ask, and what one person did.
CREATE INDEX "audit_log_tenant_id_object_id_at_idx" ON "audit_log"("tenant_id", "object_id", "at" DESC);

CREATE INDEX "audit_log_tenant_id_actor_id_at_idx" ON "audit_log"("tenant_id", "actor_id", "at" DESC);

-- Filters are not independent: who may use one location only has no booking at another. Without knowing, the planner
-- expects such rows to be near and looks through all bookings for none.
CREATE STATISTICS "bookings_parts" (mcv) ON "application_id", "location_id", "service_id", "specialist_id", "status" FROM "bookings";
ALTER STATISTICS "bookings_parts" SET STATISTICS 1000;
