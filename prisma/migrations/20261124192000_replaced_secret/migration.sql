-- AlterTable
ALTER TABLE "environment" ADD COLUMN     "replaced_fingerprint" TEXT;

-- Distinguishes a repeated rotation from one whose two secrets are swapped.
ALTER TABLE "environment" ADD CONSTRAINT "environment_replaced_fingerprint" CHECK ("replaced_fingerprint" ~ '^[0-9a-f]{64}$');
