-- The language and the clock that a person has chosen for the Control Center and its mails. Without a choice, the browser decides.
ALTER TABLE "users" ADD COLUMN "language" TEXT, ADD COLUMN "hour_cycle" TEXT;

ALTER TABLE "users"
  ADD CONSTRAINT "users_language" CHECK ("language" IN ('en', 'de', 'fr', 'es')),
  ADD CONSTRAINT "users_hour_cycle" CHECK ("hour_cycle" IN ('h12', 'h23'));
