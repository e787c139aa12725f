-- AlterTable
ALTER TABLE "environment" ADD COLUMN     "hash_keys" BYTEA,
ADD COLUMN     "previous_fingerprint" TEXT;

-- "previous_fingerprint" identifies the secret from before a rotation, so it differs from the current secret's
-- fingerprint.
ALTER TABLE "environment" ADD CONSTRAINT "environment_previous_fingerprint" CHECK ("previous_fingerprint" ~ '^[0-9a-f]{64}$' AND "previous_fingerprint" <> "secrets_fingerprint");

-- A rotation does not change the keys with which the stored hashes were made. These keys cannot be derived from the new
-- secret, so this row must contain them. Without them, the server would recognize no partner's API key.
ALTER TABLE "environment" ADD CONSTRAINT "environment_rotation_keeps_hash_keys" CHECK ("previous_fingerprint" IS NULL OR "hash_keys" IS NOT NULL);

-- The encrypted value consists of the key id, the nonce, the tag, and the keys as JSON.
ALTER TABLE "environment" ADD CONSTRAINT "environment_hash_keys_length" CHECK (octet_length("hash_keys") BETWEEN 36 AND 1000);
