-- AlterTable
ALTER TABLE "webhook_endpoints" ADD COLUMN     "last_attempt_at" TIMESTAMPTZ(3);
