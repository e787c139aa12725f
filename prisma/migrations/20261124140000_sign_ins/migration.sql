-- CreateTable
CREATE TABLE "sign_ins" (
    "id" TEXT COLLATE "C" NOT NULL,
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "user_id" TEXT COLLATE "C" NOT NULL,
    "outcome" TEXT NOT NULL,
    "method" TEXT NOT NULL,
    "network" TEXT,
    "minute" TIMESTAMPTZ(3) NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "sign_ins_pkey" PRIMARY KEY ("id")
);

-- Repeated attempts within one minute share a row, which limits the number of rows that an attacker can add. Because of
-- NULLS NOT DISTINCT, attempts without a network share a row too.
CREATE UNIQUE INDEX "sign_ins_of_a_minute" ON "sign_ins"("user_id", "network", "outcome", "method", "minute", "tenant_id") NULLS NOT DISTINCT;

-- CreateIndex
CREATE INDEX "sign_ins_tenant_id_at_idx" ON "sign_ins"("tenant_id", "at" DESC);

-- AddForeignKey
ALTER TABLE "sign_ins" ADD CONSTRAINT "sign_ins_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "sign_ins" ADD CONSTRAINT "sign_ins_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- The format of ids.
ALTER TABLE "sign_ins" ADD CONSTRAINT "sign_ins_id_format" CHECK ("id" ~ '^sgn_[0-7][0-9a-hjkmnp-tv-z]{25}$');

-- The outcomes and methods that the pages can display.
ALTER TABLE "sign_ins" ADD CONSTRAINT "sign_ins_outcome" CHECK ("outcome" IN ('signed_in', 'wrong_password', 'wrong_second_factor'));
ALTER TABLE "sign_ins" ADD CONSTRAINT "sign_ins_method" CHECK ("method" IN ('password', 'provider', 'totp', 'passkey', 'recovery_code'));

-- The server stores an IP address or a network here. Neither is longer than 64 characters.
ALTER TABLE "sign_ins" ADD CONSTRAINT "sign_ins_network_length" CHECK (char_length("network") BETWEEN 1 AND 64);

-- `minute` is the start of a minute, so that all attempts within this minute share a row.
ALTER TABLE "sign_ins" ADD CONSTRAINT "sign_ins_minute" CHECK (EXTRACT(epoch FROM "minute") % 60 = 0 AND "at" >= "minute" AND "at" < "minute" + interval '1 minute');

-- Each row stands for at least one attempt.
ALTER TABLE "sign_ins" ADD CONSTRAINT "sign_ins_attempts" CHECK ("attempts" > 0);
