-- AlterTable
ALTER TABLE "environment" ADD COLUMN     "cell" TEXT;

-- The format of cell ids in the cell directory. The command that moves a tenant compares those ids with this column.
ALTER TABLE "environment" ADD CONSTRAINT "environment_cell" CHECK ("cell" ~ '^[0-9a-z]{4}$');
