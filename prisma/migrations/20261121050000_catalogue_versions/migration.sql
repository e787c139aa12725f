-- Made by Prisma Migrate, then edited: what Prisma cannot express stands here with its reason.

-- Two people edit one catalogue: the second is told, instead of overwriting what the first saved.
ALTER TABLE "locations" ADD COLUMN "version" INTEGER NOT NULL DEFAULT 1;
ALTER TABLE "services" ADD COLUMN "version" INTEGER NOT NULL DEFAULT 1;
ALTER TABLE "specialists" ADD COLUMN "version" INTEGER NOT NULL DEFAULT 1;

-- Only ever rises from 1.
ALTER TABLE "locations" ADD CONSTRAINT "locations_version" CHECK ("version" >= 1);
ALTER TABLE "services" ADD CONSTRAINT "services_version" CHECK ("version" >= 1);
ALTER TABLE "specialists" ADD CONSTRAINT "specialists_version" CHECK ("version" >= 1);
