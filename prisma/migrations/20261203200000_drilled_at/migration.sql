-- When the newest successful drill began (npm run drill).
ALTER TABLE "environment" ADD COLUMN "drilled_at" TIMESTAMPTZ(3);
