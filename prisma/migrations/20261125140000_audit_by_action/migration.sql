-- The Audit page filters changes by action, such as the removal of a member. Without this index, a query would read
-- thousands of changes to find a few.
CREATE INDEX "audit_log_tenant_id_action_at_idx" ON "audit_log"("tenant_id", "action", "at" DESC);
