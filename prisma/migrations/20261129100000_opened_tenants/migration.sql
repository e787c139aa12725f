-- A sign-in is recorded in a tenant when its session opens this tenant. Existing sessions have no method, because their
-- sign-ins are recorded in all tenants of the person already.

-- AlterTable
ALTER TABLE "sessions" ADD COLUMN     "method" TEXT,
ADD COLUMN     "opened" TEXT[] COLLATE "C" NOT NULL DEFAULT ARRAY[]::TEXT[];

-- The methods of `sign_ins`.
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_method" CHECK ("method" IN ('password', 'provider', 'totp', 'passkey', 'recovery_code'));
