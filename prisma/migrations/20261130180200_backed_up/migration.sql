-- `npm run backup` records when its newest backup began, so that the server knows the age of the backups.
-- AlterTable
ALTER TABLE "environment" ADD COLUMN "backed_up_at" TIMESTAMPTZ(3);
