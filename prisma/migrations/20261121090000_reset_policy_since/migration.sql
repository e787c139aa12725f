-- When the policy of resets was chosen: a night before that is not made up for. Null is since the tenant was made.
ALTER TABLE "tenants" ADD COLUMN "reset_policy_since" TIMESTAMPTZ(3);
