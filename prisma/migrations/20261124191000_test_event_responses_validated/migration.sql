-- Reads every idempotency key once. Requests can read and write idempotency keys meanwhile. In the previous migration,
-- they could not, because that migration locks the table until it commits.
ALTER TABLE "idempotency_keys" VALIDATE CONSTRAINT "idempotency_keys_success";
