-- CreateTable
CREATE TABLE "address_links" (
    "token_hash" BYTEA NOT NULL,
    "user_id" TEXT COLLATE "C" NOT NULL,
    "email" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "address_links_pkey" PRIMARY KEY ("token_hash")
);

-- CreateIndex
CREATE INDEX "address_links_user_id_idx" ON "address_links"("user_id");

-- CreateIndex
CREATE INDEX "address_links_email_idx" ON "address_links"("email");

-- AddForeignKey
ALTER TABLE "address_links" ADD CONSTRAINT "address_links_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;


ALTER TABLE "address_links" ADD CONSTRAINT "address_links_hash_length" CHECK (octet_length("token_hash") = 32);
ALTER TABLE "address_links" ADD CONSTRAINT "address_links_email" CHECK (char_length("email") BETWEEN 3 AND 254 AND "email" ~ '^[!-?A-~]+@[!-?A-~]+$' AND "email" = lower("email" COLLATE "C"));
ALTER TABLE "address_links" ADD CONSTRAINT "address_links_life" CHECK ("expires_at" > "created_at" AND "expires_at" <= "created_at" + interval '30 minutes');

-- A proven account gets another address only in the moment in which a link that only this address got is used, and with
-- a new hash of the password: all accounts of an address share a salt. Everything else stays as it was: an account never
-- gets a proof or another tenant, and is never opened again.
CREATE OR REPLACE FUNCTION "keep_account"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW."email" <> OLD."email" AND OLD."address_proven_at" IS NOT NULL AND NEW."address_proven_at" IS NOT NULL
    AND OLD."closed_at" IS NULL AND NEW."closed_at" IS NULL AND NEW."password_hash" <> OLD."password_hash"
    AND EXISTS (SELECT FROM "address_links" WHERE "user_id" = NEW."id" AND "email" = NEW."email"
      AND "ended_at" = NEW."address_proven_at" AND "ended_at" < "expires_at")
  THEN RETURN NULL; END IF;
  RAISE EXCEPTION 'an account keeps its address, its proof, and its tenant'
    USING ERRCODE = 'check_violation', CONSTRAINT = 'users_kept', TABLE = 'users';
END $$;
