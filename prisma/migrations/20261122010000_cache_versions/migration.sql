-- The version of each record that processes keep in memory. Unlike a notification, it can be read at any time: a process
-- whose listening connection is down compares versions. They are random, so that no version is ever used twice.
CREATE TABLE "cache_versions" (
    "topic" TEXT NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "version" UUID NOT NULL,

    CONSTRAINT "cache_versions_pkey" PRIMARY KEY ("topic", "id")
);
