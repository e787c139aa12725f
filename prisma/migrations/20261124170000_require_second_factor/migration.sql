-- The default is off, so members sign in as before until an owner requires a second factor.
ALTER TABLE "tenants" ADD COLUMN "require_second_factor" BOOLEAN NOT NULL DEFAULT false;
