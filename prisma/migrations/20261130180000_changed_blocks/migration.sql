-- Calendar feeds state when a block was last changed.
-- AlterTable
ALTER TABLE "blocks" ADD COLUMN "changed_at" TIMESTAMPTZ(3);
