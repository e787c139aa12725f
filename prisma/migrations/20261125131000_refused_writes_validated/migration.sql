-- Reads every log entry once. Requests read and write them meanwhile. The migration before holds a lock on the table
-- until it commits, so this is a migration of its own.
ALTER TABLE "request_log" VALIDATE CONSTRAINT "request_log_refused";
