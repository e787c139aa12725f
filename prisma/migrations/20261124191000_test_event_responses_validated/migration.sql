-- Reads every idempotency key once. Requests read and write them meanwhile. The migration before holds a lock on the
-- table until it commits, so this is a migration of its own.
ALTER TABLE "idempotency_keys" VALIDATE CONSTRAINT "idempotency_keys_success";
