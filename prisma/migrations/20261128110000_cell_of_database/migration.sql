-- AlterTable
ALTER TABLE "environment" ADD COLUMN     "cell" TEXT;

-- The move of a tenant compares the value with the ids in the cell directory.
ALTER TABLE "environment" ADD CONSTRAINT "environment_cell" CHECK ("cell" ~ '^[0-9a-z]{4}$');
