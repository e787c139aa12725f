-- The version of each record that processes keep in memory. Unlike a notification, a version can be read at any time,
-- so a process whose listening connection is down can compare versions. Versions are random, so none is used twice.
CREATE TABLE "cache_versions" (
    "topic" TEXT NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "version" UUID NOT NULL,

    CONSTRAINT "cache_versions_pkey" PRIMARY KEY ("topic", "id")
);
