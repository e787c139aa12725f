-- Reads every idempotency key once. Requests can read and write idempotency keys meanwhile. This is a separate
-- migration, because the previous migration holds a lock on the table until it commits.
ALTER TABLE "idempotency_keys" VALIDATE CONSTRAINT "idempotency_keys_success";
