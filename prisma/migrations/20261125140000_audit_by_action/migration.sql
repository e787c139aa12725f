-- The Audit page filters changes by action, such as all removed members. Few actions are among thousands of changes.
CREATE INDEX "audit_log_tenant_id_action_at_idx" ON "audit_log"("tenant_id", "action", "at" DESC);
