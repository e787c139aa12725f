-- The column states when the deletion of a tenant began. The constraint keeps such a tenant suspended. Adding
-- both blocks requests only for milliseconds, because the column is nullable without a default, and the table is small.
ALTER TABLE "tenants" ADD COLUMN "deletion_began_at" TIMESTAMPTZ(3);
ALTER TABLE "tenants" ADD CONSTRAINT "tenants_deletion" CHECK ("deletion_began_at" IS NULL OR "suspended_at" IS NOT NULL);

-- CreateTable
CREATE TABLE "tenant_deletions" (
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "name" TEXT NOT NULL,
    "began_at" TIMESTAMPTZ(3) NOT NULL,
    "finished_at" TIMESTAMPTZ(3),
    "rows" JSONB NOT NULL DEFAULT '{}',
    "user_ids" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[],

    CONSTRAINT "tenant_deletions_pkey" PRIMARY KEY ("tenant_id", "began_at")
);

-- A tenant has at most one unfinished deletion.
CREATE UNIQUE INDEX "tenant_deletions_unfinished" ON "tenant_deletions"("tenant_id") WHERE "finished_at" IS NULL;

-- The format of ids.
ALTER TABLE "tenant_deletions" ADD CONSTRAINT "tenant_deletions_tenant_id_format" CHECK ("tenant_id" ~ '^ten_[0-7][0-9a-hjkmnp-tv-z]{25}$');

ALTER TABLE "tenant_deletions" ADD CONSTRAINT "tenant_deletions_name_length" CHECK (char_length("name") BETWEEN 1 AND 200);

-- Row counts, and nothing else.
ALTER TABLE "tenant_deletions" ADD CONSTRAINT "tenant_deletions_rows" CHECK (jsonb_typeof("rows") = 'object'
  AND NOT jsonb_path_exists("rows", '$.* ? (@.type() != "number")'));

-- A finished deletion contains no ids of users.
ALTER TABLE "tenant_deletions" ADD CONSTRAINT "tenant_deletions_finished" CHECK ("finished_at" IS NULL OR ("finished_at" >= "began_at" AND "user_ids" = '{}'));
