import type { Policy } from '@/lib/access/applications/policy';
import { AppError } from '@/lib/contract/errors/app-error';
import { consumeQuota, type Quota } from '@/lib/platform/rate-limit/rate-limit';
import type { Call } from './call';

/**
 * Number of specialist days that count as one request. A specialist day is one specialist on one day of an availability
 * read (contract B9).
 */
const DAYS_PER_REQUEST = 100;

/**
 * Step 4 (contract B2, B9): counts the request against the application's quota. If the tenant has a limit, also counts
 * the request against the tenant's quota. Returns the refusal if a quota is exceeded, otherwise null. The result is
 * only a promise if the tenant has a limit, or if the counts are not in this process's memory.
 */
export function checkRateLimit(call: Call, policy: Policy): AppError | null | Promise<AppError | null> {
  const quota = consumeQuota(policy.applicationId, policy.quota);
  if (policy.tenantQuota !== null) return checkBoth(call, policy, policy.tenantQuota, quota);
  return quota instanceof Promise ? quota.then((counted) => refusalOf(call, counted)) : refusalOf(call, quota);
}

async function checkBoth(call: Call, { tenantId }: Policy, limit: number, own: Quota | Promise<Quota>) {
  const counted = await own;
  // A request above the application's quota does not count against the tenant's quota, which all applications of the
  // tenant share.
  return refusalOf(call, counted.exceeded ? counted : tighter(counted, await consumeQuota(tenantId, limit)));
}

/** Returns the quota with fewer remaining requests. */
function tighter(own: Quota, shared: Quota): Quota {
  return shared.exceeded || shared.remaining < own.remaining ? shared : own;
}

function refusalOf(call: Call, quota: Quota): AppError | null {
  call.quota = quota;
  return quota.exceeded ? new AppError('rate_limited', { retryAfter: quota.retryAfter }) : null;
}

/**
 * Counts a large availability read as several requests (contract B9). `checkRateLimit` has already counted one of
 * them. If the others exceed the quota, this read still gets its response, but the application's next request is refused.
 * @param days the number of specialists multiplied by the number of days.
 */
export async function countSpecialistDays(call: Call, policy: Policy, days: number): Promise<void> {
  const more = Math.ceil(days / DAYS_PER_REQUEST) - 1;
  if (more <= 0) return;
  const { applicationId, tenantId, quota, tenantQuota } = policy;
  const own = await consumeQuota(applicationId, quota, more);
  call.quota = tenantQuota === null ? own : tighter(own, await consumeQuota(tenantId, tenantQuota, more));
}
