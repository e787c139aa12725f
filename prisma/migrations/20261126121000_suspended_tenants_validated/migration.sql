-- Reads every entry of the audit log once. Requests can read and write entries meanwhile. This is a separate migration,
-- because the previous migration holds a lock on the table until it commits.
ALTER TABLE "audit_log" VALIDATE CONSTRAINT "audit_log_actor";
