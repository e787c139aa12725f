import { isInNetworks } from '@/lib/access/applications/networks';
import type { Policy } from '@/lib/access/applications/policy';
import { AppError } from '@/lib/contract/errors/app-error';
import type { ReasonOf } from '@/lib/contract/errors/reasons';
import { consumeFailure, readQuota } from '@/lib/platform/rate-limit/rate-limit';
import { type Call, headerOf } from './call';

/** The response to requests of a tenant that is being moved to another deployment. */
const MOVING = new AppError('service_unavailable', { retryAfter: 10 });

/**
 * Step 3 (contract B2): checks suspension, network, and origin, in this order. Returns credential_restricted with a
 * reason, or null if the request is allowed. A refusal counts against the client's address. The headers of the refusal
 * show the application's quota, but the request does not count against that quota.
 *
 * If the tenant is being moved, returns service_unavailable. The proxy will soon send the tenant's requests to the other
 * deployment. Until then, they count neither against the address nor against a quota.
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
