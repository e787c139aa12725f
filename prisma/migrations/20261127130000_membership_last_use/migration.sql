-- When a person last opened a page of a tenant. Decides which tenant a sign-in opens. A nullable column without a default
-- in a small table: requests wait only milliseconds.
ALTER TABLE "memberships" ADD COLUMN "last_used_at" TIMESTAMPTZ(3);
