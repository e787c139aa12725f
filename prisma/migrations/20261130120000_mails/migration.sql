-- AlterTable
ALTER TABLE "invitations" ADD COLUMN     "mailed_token_hash" BYTEA;

-- AlterTable
ALTER TABLE "users" ADD COLUMN     "unwanted_mails" TEXT[] NOT NULL DEFAULT ARRAY['daily_summary']::TEXT[];

-- AlterTable
ALTER TABLE "webhook_endpoints" ADD COLUMN     "failed_firsts" SMALLINT NOT NULL DEFAULT 0;

-- CreateTable
CREATE TABLE "mails" (
    "id" TEXT COLLATE "C" NOT NULL,
    "tenant_id" TEXT COLLATE "C",
    "user_id" TEXT COLLATE "C",
    "kind" TEXT NOT NULL,
    "cause" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "sealed" BYTEA,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "next_attempt_at" TIMESTAMPTZ(3),
    "leased_until" TIMESTAMPTZ(3),
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "unanswered" INTEGER NOT NULL DEFAULT 0,
    "sent_at" TIMESTAMPTZ(3),
    "failed_at" TIMESTAMPTZ(3),
    "problem" TEXT,

    CONSTRAINT "mails_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "password_links" (
    "token_hash" BYTEA NOT NULL,
    "email" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),

    CONSTRAINT "password_links_pkey" PRIMARY KEY ("token_hash")
);

-- CreateIndex
CREATE INDEX "mails_tenant_id_created_at_idx" ON "mails"("tenant_id", "created_at");

-- CreateIndex
CREATE INDEX "mails_email_created_at_idx" ON "mails"("email", "created_at");

-- CreateIndex
CREATE INDEX "mails_user_id_idx" ON "mails"("user_id");

-- CreateIndex
CREATE UNIQUE INDEX "mails_kind_cause_email_key" ON "mails"("kind", "cause", "email");

-- CreateIndex
CREATE INDEX "password_links_email_idx" ON "password_links"("email");

-- CreateIndex
CREATE UNIQUE INDEX "invitations_mailed_token_hash_key" ON "invitations"("mailed_token_hash");

-- AddForeignKey
ALTER TABLE "mails" ADD CONSTRAINT "mails_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "mails" ADD CONSTRAINT "mails_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;


-- The next mail to send. The queue is short, and the sent mails are not in this index.
CREATE INDEX "mails_due" ON "mails"("next_attempt_at") WHERE "next_attempt_at" IS NOT NULL;

-- The format of ids.
ALTER TABLE "mails" ADD CONSTRAINT "mails_id_format" CHECK ("id" ~ '^mal_[0-7][0-9a-hjkmnp-tv-z]{25}$');

-- The name of a kind, and an identifier of the cause. Neither contains text that a person chose.
ALTER TABLE "mails" ADD CONSTRAINT "mails_kind" CHECK ("kind" ~ '^[a-z_]{1,40}$');
ALTER TABLE "mails" ADD CONSTRAINT "mails_cause" CHECK ("cause" ~ '^[0-9A-Za-z_.: -]{1,120}$');

-- A line break in an address would add headers or commands of the mail server's protocol.
ALTER TABLE "mails" ADD CONSTRAINT "mails_email" CHECK (char_length("email") BETWEEN 3 AND 254 AND "email" ~ '^[!-?A-~]+@[!-?A-~]+$');

-- A mail either waits with its sealed text, or is over. Its text, which can contain a link, is then erased.
ALTER TABLE "mails" ADD CONSTRAINT "mails_state" CHECK (
  num_nonnulls("next_attempt_at", "sent_at", "failed_at") = 1
  AND ("sealed" IS NULL) = ("next_attempt_at" IS NULL)
  AND ("leased_until" IS NULL OR "next_attempt_at" IS NOT NULL));
ALTER TABLE "mails" ADD CONSTRAINT "mails_sealed_length" CHECK (octet_length("sealed") BETWEEN 28 AND 20000);
ALTER TABLE "mails" ADD CONSTRAINT "mails_life" CHECK ("expires_at" > "created_at" AND "expires_at" <= "created_at" + interval '7 days');

-- A message is sent again at most once if the mail server does not answer.
ALTER TABLE "mails" ADD CONSTRAINT "mails_attempts" CHECK ("unanswered" BETWEEN 0 AND 2 AND "attempts" BETWEEN "unanswered" AND 40);

ALTER TABLE "mails" ADD CONSTRAINT "mails_problem_length" CHECK (char_length("problem") BETWEEN 1 AND 200);

ALTER TABLE "password_links" ADD CONSTRAINT "password_links_hash_length" CHECK (octet_length("token_hash") = 32);
ALTER TABLE "password_links" ADD CONSTRAINT "password_links_email" CHECK (char_length("email") BETWEEN 3 AND 254 AND "email" ~ '^[!-?A-~]+@[!-?A-~]+$');
ALTER TABLE "password_links" ADD CONSTRAINT "password_links_life" CHECK ("expires_at" > "created_at" AND "expires_at" <= "created_at" + interval '30 minutes');

ALTER TABLE "invitations" ADD CONSTRAINT "invitations_mailed_token_hash_length" CHECK (octet_length("mailed_token_hash") = 32 AND "mailed_token_hash" <> "token_hash");

-- The names of kinds of notices.
ALTER TABLE "users" ADD CONSTRAINT "users_unwanted_mails" CHECK (cardinality("unwanted_mails") BETWEEN 0 AND 20 AND ("unwanted_mails" = '{}' OR array_to_string("unwanted_mails", ',', '*') ~ '^[a-z_]{1,40}(,[a-z_]{1,40})*$'));

ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_failed_firsts" CHECK ("failed_firsts" BETWEEN 0 AND 5);

-- Row-level security, as in `tenant_policies`. A mail about an account has no tenant, so only transactions without a limit
-- see it.
ALTER TABLE "mails" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "tenant" ON "mails"
  USING ((SELECT coalesce(current_setting('partner_booking.tenant', true), '') = '')
    OR "tenant_id" = (SELECT current_setting('partner_booking.tenant', true)));
