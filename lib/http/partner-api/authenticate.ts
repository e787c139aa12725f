import { checkKeyFormat } from '@/lib/access/applications/key-format';
import { hashKey } from '@/lib/access/applications/key-hash';
import { isKeyLive, type Policy, policyOfHash, timeOf } from '@/lib/access/applications/policy';
import { AppError } from '@/lib/contract/errors/app-error';
import type { ReasonOf } from '@/lib/contract/errors/reasons';
import { BASE_PATH, setTestClock } from '@/lib/contract/operations';
import { consumeFailure } from '@/lib/platform/rate-limit/rate-limit';
import { type Call, headerOf } from './call';
import { misplacedKey } from './misplaced-key';

/** A key that only the application's clock lets expire can still set that clock back. */
const CLOCK_ROUTE = BASE_PATH + setTestClock.path;

/**
 * Step 2 (contract B2): returns the policy of the key, or a refusal, which counts against the failure quota of the
 * client's address: 429 above that quota, otherwise 401. A valid key is accepted even above the quota.
 */
export async function authenticate(call: Call): Promise<Policy | AppError> {
  const presented = bearer(headerOf(call, 'authorization'));
  if (presented === null) return fail(call, 'missing', misplacedKey(call));
  const form = checkKeyFormat(presented);
  if (form !== 'well_formed') return fail(call, form);
  const policy = await policyOfHash(hashKey(presented).toString('base64'));
  if (!policy) return fail(call, null);
  // First, so that the log entry contains the application of an expired or revoked key.
  call.policy = policy;
  const now = call.route === CLOCK_ROUTE ? call.at : timeOf(policy, call.at);
  if (!isKeyLive(policy, now.getTime())) return fail(call, null);
  return policy;
}

function bearer(header: string | null): string | null {
  if (header?.slice(0, 7).toLowerCase() !== 'bearer ') return null;
  return header.slice(7).trim() || null;
}

async function fail(call: Call, reason: ReasonOf<'invalid_api_key'> | null, message?: string): Promise<AppError> {
  call.refused = true;
  call.quota = await consumeFailure(call.address);
  const { exceeded, retryAfter } = call.quota;
  if (exceeded) return new AppError('rate_limited', { reason: 'failed_authentication', retryAfter });
  return new AppError('invalid_api_key', { reason, ...(message && { message }) });
}
