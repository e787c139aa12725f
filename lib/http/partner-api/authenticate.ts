import { checkKeyFormat } from '@/lib/access/applications/key-format';
import { isKeyLive, type Policy, policyOfKey } from '@/lib/access/applications/policy';
import { AppError } from '@/lib/contract/errors/app-error';
import type { ReasonOf } from '@/lib/contract/errors/reasons';
import { consumeFailure } from '@/lib/platform/rate-limit/rate-limit';
import { type Call, headerOf } from './call';

/**
 * Step 2 (contract B2): returns the policy of the key in the request. Each failure counts against the client's address.
 * If the address has exceeded its limit of failures, the response to a failure is a 429 instead of a 401. A valid key
 * is never refused because of earlier failures from the same address.
 * @throws AppError invalid_api_key if the key is missing or not valid; rate_limited (reason `failed_authentication`) if
 *   the address has exceeded its limit of failures.
 */
export async function authenticate(call: Call): Promise<Policy> {
  const presented = bearer(headerOf(call, 'authorization'));
  if (presented === null) return fail(call, 'missing');
  const form = checkKeyFormat(presented);
  // Malformed keys and keys of the other environment are refused without a query to the database.
  if (form !== 'well_formed') return fail(call, form === 'wrong_environment' ? form : null);
  const found = policyOfKey(presented);
  const policy = found instanceof Promise ? await found : found;
  if (!policy) return fail(call, null);
  // The policy is set before the check of the expiry. If the key is expired or revoked, the request log can therefore
  // attribute the failure to the key's application.
  call.policy = policy;
  if (!isKeyLive(policy, call.at.getTime())) return fail(call, null);
  return policy;
}

/**
 * Returns the token of a Bearer credential, or null if the header does not contain one. The scheme is case-insensitive.
 */
function bearer(header: string | null): string | null {
  if (header?.slice(0, 7).toLowerCase() !== 'bearer ') return null;
  return header.slice(7).trim() || null;
}

async function fail(call: Call, reason: ReasonOf<'invalid_api_key'> | null): Promise<never> {
  call.refused = true;
  call.quota = await consumeFailure(call.address);
  const { exceeded, retryAfter } = call.quota;
  if (exceeded) throw new AppError('rate_limited', { reason: 'failed_authentication', retryAfter });
  throw new AppError('invalid_api_key', { reason });
}
