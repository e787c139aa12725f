-- When the reset policy was set. A nightly reset that was due before this time is not run. Null means that the policy
-- has applied since the tenant was created.
ALTER TABLE "tenants" ADD COLUMN "reset_policy_since" TIMESTAMPTZ(3);
