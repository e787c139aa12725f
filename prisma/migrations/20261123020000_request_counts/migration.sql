-- Requests per hour, counted from the request log once the hour has passed. The histogram of a month and the list of
-- applications read these rows instead of millions of log entries.
CREATE TABLE "request_counts" (
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "hour" TIMESTAMPTZ(3) NOT NULL,
    "application_id" TEXT COLLATE "C" NOT NULL,
    "key_id" TEXT COLLATE "C" NOT NULL,
    "route" TEXT NOT NULL,
    "status" SMALLINT NOT NULL,
    "code" TEXT NOT NULL,
    "requests" INTEGER NOT NULL,

    CONSTRAINT "request_counts_pkey" PRIMARY KEY ("tenant_id", "hour", "application_id", "key_id", "route", "status", "code")
);

-- A group without requests has no row.
ALTER TABLE "request_counts" ADD CONSTRAINT "request_counts_some" CHECK ("requests" > 0);

CREATE TABLE "request_counts_progress" (
    "singleton" BOOLEAN NOT NULL DEFAULT true,
    "counted_until" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "request_counts_progress_pkey" PRIMARY KEY ("singleton")
);

-- The table has at most one row. All hours before `counted_until` are counted.
ALTER TABLE "request_counts_progress" ADD CONSTRAINT "request_counts_progress_one_row" CHECK ("singleton");
