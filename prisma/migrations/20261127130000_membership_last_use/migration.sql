-- When a member last opened a page of a tenant. A sign-in opens the tenant with the latest time. Requests wait only
-- milliseconds for this change, because the column is nullable and has no default.
ALTER TABLE "memberships" ADD COLUMN "last_used_at" TIMESTAMPTZ(3);
