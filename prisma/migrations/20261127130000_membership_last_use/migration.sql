-- When a member last opened a page of a tenant. A sign-in opens the tenant with the latest time. A nullable column
-- without a default in a small table: requests wait only milliseconds.
ALTER TABLE "memberships" ADD COLUMN "last_used_at" TIMESTAMPTZ(3);
