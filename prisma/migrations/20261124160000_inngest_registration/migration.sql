-- AlterTable
ALTER TABLE "environment" ADD COLUMN     "inngest_checked_at" TIMESTAMPTZ(3),
ADD COLUMN     "inngest_problem" TEXT;
