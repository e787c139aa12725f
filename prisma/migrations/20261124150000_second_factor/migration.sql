-- CreateTable
CREATE TABLE "totp_factors" (
    "user_id" TEXT COLLATE "C" NOT NULL,
    "secret" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "confirmed_at" TIMESTAMPTZ(3),
    "last_step" INTEGER,

    CONSTRAINT "totp_factors_pkey" PRIMARY KEY ("user_id")
);

-- CreateTable
CREATE TABLE "recovery_codes" (
    "user_id" TEXT COLLATE "C" NOT NULL,
    "code_hash" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),

    CONSTRAINT "recovery_codes_pkey" PRIMARY KEY ("user_id","code_hash")
);

-- CreateTable
CREATE TABLE "second_steps" (
    "id" TEXT COLLATE "C" NOT NULL,
    "user_id" TEXT COLLATE "C" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "second_steps_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "second_steps_user_id_idx" ON "second_steps"("user_id");

-- AddForeignKey
ALTER TABLE "totp_factors" ADD CONSTRAINT "totp_factors_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "recovery_codes" ADD CONSTRAINT "recovery_codes_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "second_steps" ADD CONSTRAINT "second_steps_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- An encrypted secret consists of a nonce, a tag, and 32 encrypted characters. The check rejects an unencrypted secret,
-- which is shorter.
ALTER TABLE "totp_factors" ADD CONSTRAINT "totp_factors_secret_length" CHECK (octet_length("secret") BETWEEN 60 AND 200);

-- Both columns are set when the first code is accepted, because this code confirms the setup.
ALTER TABLE "totp_factors" ADD CONSTRAINT "totp_factors_confirmed" CHECK (("confirmed_at" IS NULL) = ("last_step" IS NULL) AND "last_step" > 0);

-- An HMAC-SHA-256 has 32 bytes. The check rejects a code that was stored without being hashed.
ALTER TABLE "recovery_codes" ADD CONSTRAINT "recovery_codes_hash_length" CHECK (octet_length("code_hash") = 32);

-- The format of ids. The prefix differs from the prefix of session ids, so a cookie with such an id cannot be mistaken
-- for a session.
ALTER TABLE "second_steps" ADD CONSTRAINT "second_steps_id_format" CHECK ("id" ~ '^sst_[0-7][0-9a-hjkmnp-tv-z]{25}$');

-- The second factor must follow within ten minutes after the password.
ALTER TABLE "second_steps" ADD CONSTRAINT "second_steps_life" CHECK ("expires_at" > "created_at" AND "expires_at" <= "created_at" + interval '10 minutes');
