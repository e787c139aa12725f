-- Reads every entry of the audit log once. Requests read and write them meanwhile. The migration before holds a lock on
-- the table until it commits, so this is a migration of its own.
ALTER TABLE "audit_log" VALIDATE CONSTRAINT "audit_log_actor";
