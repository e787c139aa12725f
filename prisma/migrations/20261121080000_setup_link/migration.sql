-- Made by Prisma Migrate, then edited: what Prisma cannot express stands here with its reason.

-- CreateTable
CREATE TABLE "setup_link" (
    "singleton" BOOLEAN NOT NULL DEFAULT true,
    "token_hash" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "setup_link_pkey" PRIMARY KEY ("singleton")
);

-- One row: a start that prints a link ends the one before.
ALTER TABLE "setup_link" ADD CONSTRAINT "setup_link_one_row" CHECK ("singleton");

-- HMAC-SHA-256: the link itself does not fit.
ALTER TABLE "setup_link" ADD CONSTRAINT "setup_link_token_hash_length" CHECK (octet_length("token_hash") = 32);

-- Whoever has the link becomes the owner of everything: it never lives longer than an hour.
ALTER TABLE "setup_link" ADD CONSTRAINT "setup_link_life" CHECK ("expires_at" > "created_at" AND "expires_at" <= "created_at" + interval '1 hour');
