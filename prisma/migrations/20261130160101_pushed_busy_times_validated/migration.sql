-- See `pushed_busy_times`.
ALTER TABLE "idempotency_keys" VALIDATE CONSTRAINT "idempotency_keys_success";
