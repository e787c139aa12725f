-- When the operator suspended a tenant. Adding a nullable column does not rewrite the table, so requests
-- wait only milliseconds.
ALTER TABLE "tenants" ADD COLUMN "suspended_at" TIMESTAMPTZ(3);

-- The operator is not a user, so an invitation by the operator has no inviting user. Servers of an earlier version
-- cannot read such an invitation. Each new tenant has such an invitation, so add tenants only after all instances
-- are upgraded.
ALTER TABLE "invitations" ALTER COLUMN "invited_by_id" DROP NOT NULL;

-- Allows the operator as an actor without an id. NOT VALID leaves the check of the existing rows to the next migration.
ALTER TABLE "audit_log" DROP CONSTRAINT "audit_log_actor";
ALTER TABLE "audit_log" ADD CONSTRAINT "audit_log_actor" CHECK ("actor_kind" IN ('operator', 'system') OR ("actor_kind" IN ('application', 'owner') AND "actor_id" IS NOT NULL)) NOT VALID;
