-- Reads every log entry once. Requests can read and write log entries meanwhile. This is a separate migration, because
-- the previous migration holds a lock on the table until it commits.
ALTER TABLE "request_log" VALIDATE CONSTRAINT "request_log_refused";
