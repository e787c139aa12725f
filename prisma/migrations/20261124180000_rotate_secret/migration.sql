-- AlterTable
ALTER TABLE "environment" ADD COLUMN     "hash_keys" BYTEA,
ADD COLUMN     "previous_fingerprint" TEXT;

-- While a rotation runs, values of two different secrets exist.
ALTER TABLE "environment" ADD CONSTRAINT "environment_previous_fingerprint" CHECK ("previous_fingerprint" ~ '^[0-9a-f]{64}$' AND "previous_fingerprint" <> "secrets_fingerprint");

-- A rotation keeps the keys of stored hashes. Without them, no key of a partner would be recognized.
ALTER TABLE "environment" ADD CONSTRAINT "environment_rotation_keeps_hash_keys" CHECK ("previous_fingerprint" IS NULL OR "hash_keys" IS NOT NULL);

-- Key id, nonce, and tag, and the keys as JSON.
ALTER TABLE "environment" ADD CONSTRAINT "environment_hash_keys_length" CHECK (octet_length("hash_keys") BETWEEN 36 AND 1000);
