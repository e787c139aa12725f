-- CreateTable
CREATE TABLE "passkeys" (
    "id" TEXT COLLATE "C" NOT NULL,
    "user_id" TEXT COLLATE "C" NOT NULL,
    "name" TEXT NOT NULL,
    "credential_id" BYTEA NOT NULL,
    "public_key" BYTEA NOT NULL,
    "counter" BIGINT NOT NULL,
    "transports" TEXT[] NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "last_used_at" TIMESTAMPTZ(3),

    CONSTRAINT "passkeys_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "passkeys_credential_id_key" ON "passkeys"("credential_id");

-- CreateIndex
CREATE INDEX "passkeys_user_id_idx" ON "passkeys"("user_id");

-- AddForeignKey
ALTER TABLE "passkeys" ADD CONSTRAINT "passkeys_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- The format of ids.
ALTER TABLE "passkeys" ADD CONSTRAINT "passkeys_id_format" CHECK ("id" ~ '^psk_[0-7][0-9a-hjkmnp-tv-z]{25}$');

-- The account page shows the name, so its length is limited.
ALTER TABLE "passkeys" ADD CONSTRAINT "passkeys_name_length" CHECK (char_length("name") BETWEEN 1 AND 100);

-- Limits the values that an authenticator sends. WebAuthn allows at most 1,023 bytes for a credential's id.
ALTER TABLE "passkeys" ADD CONSTRAINT "passkeys_credential" CHECK (octet_length("credential_id") BETWEEN 1 AND 1023 AND octet_length("public_key") BETWEEN 1 AND 4096 AND "counter" >= 0 AND cardinality("transports") <= 10);
