-- Reads the rows without blocking writes.
ALTER TABLE "deliveries" VALIDATE CONSTRAINT "deliveries_forged";
