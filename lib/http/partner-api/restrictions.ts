import { isInNetworks } from '@/lib/access/applications/networks';
import type { Policy } from '@/lib/access/applications/policy';
import { AppError } from '@/lib/contract/errors/app-error';
import type { ReasonOf } from '@/lib/contract/errors/reasons';
import { consumeFailure, readQuota } from '@/lib/platform/rate-limit/rate-limit';
import { type Call, headerOf } from './call';

const MOVING = new AppError('service_unavailable', { retryAfter: 10 });

/**
 * Step 3 (contract B2): checks suspension, network, and origin, in this order. Returns a refusal or null. Requests of a
 * tenant that is being moved count against nothing, because the proxy soon sends them elsewhere.
 */
export async function checkRestrictions(call: Call, policy: Policy): Promise<AppError | null> {
  if (policy.moving) return MOVING;
  const reason = restriction(call, policy);
  if (!reason) return null;
  call.refused = true;
  await consumeFailure(call.address);
  call.quota = await readQuota(policy.applicationId, policy.quota);
  return new AppError('credential_restricted', { reason });
}

function restriction(call: Call, policy: Policy): ReasonOf<'credential_restricted'> | null {
  if (policy.suspended) return 'suspended';
  if (policy.networks && !isInNetworks(call.address, policy.networks)) return 'ip';
  if (policy.origins.size > 0 && !policy.origins.has(headerOf(call, 'origin') ?? '')) return 'origin';
  return null;
}
