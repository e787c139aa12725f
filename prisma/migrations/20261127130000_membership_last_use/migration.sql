-- When a member last opened a page of a tenant. After sign-in, the member sees the tenant with the latest time. This
-- migration blocks requests only for milliseconds, because the column is nullable and has no default.
ALTER TABLE "memberships" ADD COLUMN "last_used_at" TIMESTAMPTZ(3);
