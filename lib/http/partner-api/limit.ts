import type { Policy } from '@/lib/access/applications/policy';
import { AppError } from '@/lib/contract/errors/app-error';
import { consumeQuota } from '@/lib/platform/rate-limit/rate-limit';
import type { Call } from './call';

/**
 * Step 4 (contract B2, B9): counts the request against the application's quota.
 * @throws AppError rate_limited.
 */
export async function checkRateLimit(call: Call, policy: Policy): Promise<void> {
  call.quota = await consumeQuota(policy.applicationId, policy.quota);
  if (call.quota.exceeded) throw new AppError('rate_limited', { retryAfter: call.quota.retryAfter });
}
