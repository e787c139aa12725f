-- AlterTable
-- The default also applies to the rows of older versions, which do not set the column. Their sessions thus count as used
-- at the time of the migration or of the sign-in.
ALTER TABLE "sessions" ADD COLUMN     "browser" TEXT COLLATE "C",
ADD COLUMN     "confirmed_at" TIMESTAMPTZ(3),
ADD COLUMN     "last_used_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
ADD COLUMN     "must_change_password" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "network" TEXT COLLATE "C";

-- AlterTable
ALTER TABLE "second_steps" ADD COLUMN     "must_change_password" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "users" ADD COLUMN     "password_expires_at" TIMESTAMPTZ(3);

-- An IPv6 network has at most 43 characters. As in "sign_ins", the limit leaves room for other texts of a proxy.
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_network_length" CHECK (char_length("network") BETWEEN 1 AND 64);

-- The server derives this text from a short list of names. The check rejects a user agent that was stored as it was sent.
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_browser_length" CHECK (char_length("browser") BETWEEN 1 AND 40);
