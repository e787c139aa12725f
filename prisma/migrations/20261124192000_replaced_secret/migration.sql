-- AlterTable
ALTER TABLE "environment" ADD COLUMN     "replaced_fingerprint" TEXT;

-- The fingerprint of the secret that the last rotation replaced. It shows whether the
-- last rotation is run again, or the two secrets were swapped.
ALTER TABLE "environment" ADD CONSTRAINT "environment_replaced_fingerprint" CHECK ("replaced_fingerprint" ~ '^[0-9a-f]{64}$');
