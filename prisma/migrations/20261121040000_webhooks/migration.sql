-- Made by Prisma Migrate, then edited: what Prisma cannot express stands here with its reason.
-- Every id and what refers to one is COLLATE "C", as in the foundation.

-- CreateTable
CREATE TABLE "webhook_endpoints" (
    "application_id" TEXT COLLATE "C" NOT NULL,
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "url" TEXT NOT NULL,
    "event_types" TEXT[] NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'active',
    "state_reason" TEXT,
    "changed_at" TIMESTAMPTZ(3) NOT NULL,
    "failing" BOOLEAN NOT NULL DEFAULT false,
    "quiet_since" TIMESTAMPTZ(3) NOT NULL,
    "failed_days" INTEGER NOT NULL DEFAULT 0,
    "last_failed_on" DATE,
    "last_success_at" TIMESTAMPTZ(3),
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "webhook_endpoints_pkey" PRIMARY KEY ("application_id")
);

-- CreateTable
CREATE TABLE "webhook_secrets" (
    "application_id" TEXT COLLATE "C" NOT NULL,
    "number" INTEGER NOT NULL,
    "sealed" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3),

    CONSTRAINT "webhook_secrets_pkey" PRIMARY KEY ("application_id","number")
);

-- CreateTable
-- The due time is computed: what schedulers look for cannot differ from what decides it.
CREATE TABLE "deliveries" (
    "id" TEXT COLLATE "C" NOT NULL,
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "application_id" TEXT COLLATE "C" NOT NULL,
    "event_id" TEXT COLLATE "C" NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'pending',
    "test" BOOLEAN NOT NULL DEFAULT false,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "scheduled_attempts" INTEGER NOT NULL DEFAULT 0,
    "next_attempt_at" TIMESTAMPTZ(3),
    "manual_requested_at" TIMESTAMPTZ(3),
    "manual_by_id" TEXT COLLATE "C",
    "replay_id" TEXT COLLATE "C",
    "due_at" TIMESTAMPTZ(3) GENERATED ALWAYS AS (LEAST("next_attempt_at", "manual_requested_at")) STORED,
    "leased_until" TIMESTAMPTZ(3),
    "handed_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "deliveries_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "delivery_attempts" (
    "delivery_id" TEXT COLLATE "C" NOT NULL,
    "number" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,
    "requested_by_id" TEXT COLLATE "C",
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "duration_ms" REAL,
    "status" SMALLINT,
    "error" TEXT,
    "answer" TEXT,

    CONSTRAINT "delivery_attempts_pkey" PRIMARY KEY ("delivery_id","number")
);

-- CreateTable
CREATE TABLE "webhook_replays" (
    "id" TEXT COLLATE "C" NOT NULL,
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "application_id" TEXT COLLATE "C" NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL,
    "total" INTEGER NOT NULL,
    "created_by_id" TEXT COLLATE "C" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "stopped_at" TIMESTAMPTZ(3),

    CONSTRAINT "webhook_replays_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "webhook_endpoints_tenant_id_application_id_key" ON "webhook_endpoints"("tenant_id", "application_id");

-- CreateIndex
CREATE UNIQUE INDEX "deliveries_event_id_key" ON "deliveries"("event_id");

-- CreateIndex
CREATE INDEX "deliveries_application_id_id_idx" ON "deliveries"("application_id", "id" DESC);

-- CreateIndex
CREATE INDEX "deliveries_application_id_state_id_idx" ON "deliveries"("application_id", "state", "id" DESC);

-- CreateIndex
CREATE INDEX "deliveries_replay_id_idx" ON "deliveries"("replay_id");

-- CreateIndex
CREATE INDEX "webhook_replays_application_id_created_at_idx" ON "webhook_replays"("application_id", "created_at" DESC);

-- AddForeignKey
ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_tenant_id_application_id_fkey" FOREIGN KEY ("tenant_id", "application_id") REFERENCES "applications"("tenant_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhook_secrets" ADD CONSTRAINT "webhook_secrets_application_id_fkey" FOREIGN KEY ("application_id") REFERENCES "webhook_endpoints"("application_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_tenant_id_application_id_fkey" FOREIGN KEY ("tenant_id", "application_id") REFERENCES "applications"("tenant_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_event_id_fkey" FOREIGN KEY ("event_id") REFERENCES "events"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_replay_id_fkey" FOREIGN KEY ("replay_id") REFERENCES "webhook_replays"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "delivery_attempts" ADD CONSTRAINT "delivery_attempts_delivery_id_fkey" FOREIGN KEY ("delivery_id") REFERENCES "deliveries"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhook_replays" ADD CONSTRAINT "webhook_replays_tenant_id_application_id_fkey" FOREIGN KEY ("tenant_id", "application_id") REFERENCES "applications"("tenant_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Endpoints

-- As the contract bounds an address (B11); what it leads to is checked when a connection is made.
ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_url" CHECK ("url" ~ '^https?://' AND char_length("url") <= 2048);

-- The types of contract B11 without the test, which is always delivered; an endpoint without types is a mistake.
ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_event_types" CHECK (
  "event_types" <@ ARRAY['booking.created', 'booking.rescheduled', 'booking.cancelled', 'booking.completed', 'booking.no_show']
  AND cardinality("event_types") BETWEEN 1 AND 5 AND array_position("event_types", NULL) IS NULL);

-- Whoever sees an endpoint that is not active sees why.
ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_state" CHECK (
  (("state" = 'active' AND "state_reason" IS NULL) OR ("state" = 'paused' AND "state_reason" = 'owner')
  OR ("state" = 'disabled' AND "state_reason" IN ('gone', 'failing'))) IS TRUE);

ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_counts" CHECK (
  "version" >= 1 AND "failed_days" >= 0 AND ("last_failed_on" IS NULL) = ("failed_days" = 0));

-- Secrets

-- One signs for good; the others end.
CREATE UNIQUE INDEX "webhook_secrets_current" ON "webhook_secrets"("application_id") WHERE "expires_at" IS NULL;

ALTER TABLE "webhook_secrets" ADD CONSTRAINT "webhook_secrets_number" CHECK ("number" >= 1);

-- Deliveries

-- The public form of an id (contract B1).
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_id_format" CHECK ("id" ~ '^dlv_[0-7][0-9a-hjkmnp-tv-z]{25}$');

-- A schedule goes on exactly while the delivery is pending; what has ended says when.
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_state" CHECK (
  "state" IN ('pending', 'succeeded', 'failed') AND ("state" = 'pending') = ("next_attempt_at" IS NOT NULL)
  AND ("state" = 'pending') = ("finished_at" IS NULL));

-- Ten attempts of the schedule, one of a test (contract B11); manual ones come on top.
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_attempts" CHECK (
  "scheduled_attempts" BETWEEN 0 AND CASE WHEN "test" THEN 1 ELSE 10 END AND "attempts" >= "scheduled_attempts");

-- An attempt by hand has somebody who asked for it.
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_manual" CHECK ("manual_requested_at" IS NULL OR "manual_by_id" IS NOT NULL);

-- What schedulers look for, by endpoint: one with many waiting is no slower to read than one with few.
CREATE INDEX "deliveries_due" ON "deliveries"("application_id", "due_at", "id") WHERE "due_at" IS NOT NULL AND NOT "test";

-- Tests are sent even by endpoints that hold everything else; they are few.
CREATE INDEX "deliveries_due_tests" ON "deliveries"("application_id", "due_at") WHERE "due_at" IS NOT NULL AND "test";

-- Attempts under way, which are counted before more are begun.
CREATE INDEX "deliveries_leased" ON "deliveries"("application_id", "leased_until") WHERE "leased_until" IS NOT NULL;

-- Attempts

ALTER TABLE "delivery_attempts" ADD CONSTRAINT "delivery_attempts_kind" CHECK (
  "kind" IN ('scheduled', 'manual') AND ("kind" = 'manual') = ("requested_by_id" IS NOT NULL) AND "number" >= 1);

-- Never more of an answer than is shown.
ALTER TABLE "delivery_attempts" ADD CONSTRAINT "delivery_attempts_answer" CHECK (char_length("answer") <= 1024 AND char_length("error") <= 200);

-- Replays

ALTER TABLE "webhook_replays" ADD CONSTRAINT "webhook_replays_bounds" CHECK (
  "total" BETWEEN 0 AND 10000 AND "since" >= "created_at" - interval '14 days 1 minute' AND "since" <= "created_at");
