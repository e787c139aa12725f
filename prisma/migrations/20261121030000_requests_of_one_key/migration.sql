-- Made by Prisma Migrate, then edited: what Prisma cannot express stands here with its reason.

-- From a request to the others with the same idempotency key. Reads have none: only writes pay for this index.
CREATE INDEX "request_log_application_id_idempotency_key_hash_idx" ON "request_log"("application_id", "idempotency_key_hash") WHERE "idempotency_key_hash" IS NOT NULL;
