import type { Policy } from '@/lib/access/applications/policy';
import { AppError } from '@/lib/contract/errors/app-error';
import { consumeQuota } from '@/lib/platform/rate-limit/rate-limit';
import type { Call } from './call';

/** Specialist days of an availability read that one request of the quota covers (contract B9). */
const DAYS_PER_REQUEST = 100;

/**
 * Step 4 (contract B2, B9): counts the request against the application's quota.
 * @throws AppError rate_limited.
 */
export async function checkRateLimit(call: Call, policy: Policy): Promise<void> {
  call.quota = await consumeQuota(policy.applicationId, policy.quota);
  if (call.quota.exceeded) throw new AppError('rate_limited', { retryAfter: call.quota.retryAfter });
}

/**
 * Counts what an availability read costs beyond the one request of step 4 (contract B9). It never refuses the read itself:
 * the requests after it are refused.
 * @param days specialists times days.
 */
export async function countSpecialistDays(call: Call, policy: Policy, days: number): Promise<void> {
  const more = Math.ceil(days / DAYS_PER_REQUEST) - 1;
  if (more > 0) call.quota = await consumeQuota(policy.applicationId, policy.quota, more);
}
