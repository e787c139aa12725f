-- AlterTable
ALTER TABLE "environment" ADD COLUMN     "replaced_fingerprint" TEXT;

-- The fingerprint of the secret that the last rotation replaced. With it, `npm run rotate-secret` notices that the
-- current and the replaced secret were swapped.
ALTER TABLE "environment" ADD CONSTRAINT "environment_replaced_fingerprint" CHECK ("replaced_fingerprint" ~ '^[0-9a-f]{64}$');
