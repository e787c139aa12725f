import type { Policy } from '@/lib/access/applications/policy';
import { AppError } from '@/lib/contract/errors/app-error';
import { consumeQuota } from '@/lib/platform/rate-limit/rate-limit';
import type { Call } from './call';

/**
 * Number of specialist days that count as one request. A specialist day is one day for which an availability read
 * considers one specialist (contract B9).
 */
const DAYS_PER_REQUEST = 100;

/**
 * Step 4 (contract B2, B9): counts the request against the application's quota.
 * @throws AppError rate_limited if the application has exceeded its quota.
 */
export async function checkRateLimit(call: Call, policy: Policy): Promise<void> {
  call.quota = await consumeQuota(policy.applicationId, policy.quota);
  if (call.quota.exceeded) throw new AppError('rate_limited', { retryAfter: call.quota.retryAfter });
}

/**
 * Counts the additional requests that an availability read costs (contract B9). Step 4 has already counted one request
 * for the read. This function never refuses the read itself. If the read exceeds the quota, the following requests are
 * refused.
 * @param days the number of specialists multiplied by the number of days.
 */
export async function countSpecialistDays(call: Call, policy: Policy, days: number): Promise<void> {
  const more = Math.ceil(days / DAYS_PER_REQUEST) - 1;
  if (more > 0) call.quota = await consumeQuota(policy.applicationId, policy.quota, more);
}
