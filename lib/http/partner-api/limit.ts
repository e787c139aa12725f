import type { Policy } from '@/lib/access/applications/policy';
import { AppError } from '@/lib/contract/errors/app-error';
import { chargeOfTenth, consumeQuota, consumeTenantQuota, type Quota } from '@/lib/platform/rate-limit/rate-limit';
import type { Call } from './call';

/** A specialist day is one specialist on one day of an availability read (contract B9). */
const DAYS_PER_REQUEST = 100;

/** Step 4 (contract B2, B9): counts the request against the quotas of the application and its tenant. */
export async function checkRateLimit(call: Call, policy: Policy): Promise<AppError | null> {
  const own = await consumeQuota(policy.applicationId, policy.quota);
  // A request above the application's quota does not count against the tenant's quota, which all applications of the
  // tenant share.
  const { tenantId, tenantQuota } = policy;
  const quota =
    own.exceeded || tenantQuota === null ? own : tighter(own, await consumeTenantQuota(tenantId, tenantQuota));
  call.quota = quota;
  return quota.exceeded ? new AppError('rate_limited', { retryAfter: quota.retryAfter }) : null;
}

function tighter(own: Quota, shared: Quota): Quota {
  return shared.exceeded || shared.remaining < own.remaining ? shared : own;
}

/** Counts a large availability read (specialists × days) as several requests, but never refuses it (contract B9). */
export async function countSpecialistDays(call: Call, policy: Policy, days: number): Promise<void> {
  await countMore(call, policy, costOf(days) - 1);
}

/** Returns the number of requests as which an availability read counts (contract B9). */
export function costOf(specialistDays: number): number {
  return Math.max(1, Math.ceil(specialistDays / DAYS_PER_REQUEST));
}

/** Reduces the cost of a request that was counted as `cost` requests to a tenth, because its answer is 304 (contract B17). */
export async function refundUnchanged(call: Call, policy: Policy, cost: number): Promise<void> {
  await countMore(call, policy, (await chargeOfTenth(policy.applicationId, cost)) - cost);
}

async function countMore(call: Call, policy: Policy, more: number): Promise<void> {
  if (more === 0) return;
  const { applicationId, tenantId, quota, tenantQuota } = policy;
  const own = await consumeQuota(applicationId, quota, more);
  call.quota = tenantQuota === null ? own : tighter(own, await consumeTenantQuota(tenantId, tenantQuota, more));
}
