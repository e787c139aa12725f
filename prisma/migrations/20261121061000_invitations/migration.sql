-- Made by Prisma Migrate, then edited: what Prisma cannot express stands here with its reason.

-- CreateTable
CREATE TABLE "invitations" (
    "id" TEXT COLLATE "C" NOT NULL,
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "email" TEXT NOT NULL,
    "role" "Role" NOT NULL,
    "token_hash" BYTEA NOT NULL,
    "invited_by_id" TEXT COLLATE "C" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "accepted_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "invitations_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "invitations_token_hash_key" ON "invitations"("token_hash");

-- One open link for each person: inviting again ends the one before. Two requests at once cannot leave two.
CREATE UNIQUE INDEX "invitations_tenant_id_email_key" ON "invitations"("tenant_id", "email") WHERE "accepted_at" IS NULL AND "revoked_at" IS NULL;

-- CreateIndex
CREATE INDEX "invitations_invited_by_id_idx" ON "invitations"("invited_by_id");

-- AddForeignKey
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_invited_by_id_fkey" FOREIGN KEY ("invited_by_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- The form of our ids; an id of another kind can never stand here.
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_id_format" CHECK ("id" ~ '^inv_[0-7][0-9a-hjkmnp-tv-z]{25}$');

-- As users have it: who is invited is compared with who there is.
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_email" CHECK ("email" = lower("email") AND char_length("email") BETWEEN 3 AND 320);

-- HMAC-SHA-256: the link itself does not fit.
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_token_hash_length" CHECK (octet_length("token_hash") = 32);

-- A link without an end would be a password, and one that was used can no longer be taken back.
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_life" CHECK ("expires_at" > "created_at" AND ("accepted_at" IS NULL OR "revoked_at" IS NULL));
