-- Made by Prisma Migrate, then edited: what Prisma cannot express stands here with its reason.

-- CreateTable
CREATE TABLE "sessions" (
    "id" TEXT COLLATE "C" NOT NULL,
    "user_id" TEXT COLLATE "C" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "sessions_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "sessions_user_id_idx" ON "sessions"("user_id");

-- AddForeignKey
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- The form of our ids; an id of another kind can never stand here.
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_id_format" CHECK ("id" ~ '^ses_[0-7][0-9a-hjkmnp-tv-z]{25}$');

-- A session without an end would be a password.
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_life" CHECK ("expires_at" > "created_at");

-- Each filter of the Requests page finds its newest lines without reading the others. Lines of nobody, and what most
-- lines do not have, stay out of the indexes: every line written pays for each index it is in.

CREATE INDEX "request_log_tenant_id_application_id_at_idx" ON "request_log"("tenant_id", "application_id", "at" DESC) WHERE "tenant_id" IS NOT NULL;

CREATE INDEX "request_log_tenant_id_key_id_at_idx" ON "request_log"("tenant_id", "key_id", "at" DESC) WHERE "key_id" IS NOT NULL;

CREATE INDEX "request_log_tenant_id_route_at_idx" ON "request_log"("tenant_id", "route", "at" DESC) WHERE "tenant_id" IS NOT NULL;

CREATE INDEX "request_log_tenant_id_code_at_idx" ON "request_log"("tenant_id", "code", "at" DESC) WHERE "code" IS NOT NULL;

CREATE INDEX "request_log_tenant_id_status_at_idx" ON "request_log"("tenant_id", "status", "at" DESC) WHERE "status" >= 400;

CREATE INDEX "request_log_tenant_id_booking_reference_idx" ON "request_log"("tenant_id", "booking_reference") WHERE "booking_reference" IS NOT NULL;

CREATE INDEX "request_log_tenant_id_external_reference_idx" ON "request_log"("tenant_id", "external_reference") WHERE "external_reference" IS NOT NULL;

CREATE INDEX "request_log_replayed_from_idx" ON "request_log"("replayed_from") WHERE "replayed_from" IS NOT NULL;
