import { checkKeyFormat } from '@/lib/access/applications/key-format';
import { hashKey } from '@/lib/access/applications/key-hash';
import { isKeyLive, type Policy, policyOfHash } from '@/lib/access/applications/policy';
import { AppError } from '@/lib/contract/errors/app-error';
import type { ReasonOf } from '@/lib/contract/errors/reasons';
import { consumeFailure } from '@/lib/platform/rate-limit/rate-limit';
import { type Call, headerOf } from './call';

/**
 * Returns the policy of the key in the request, or a refusal (step 2 of contract B2). A refusal counts against the
 * failure quota of the client's address. It is rate_limited (429, reason `failed_authentication`) if it exceeds this
 * quota, otherwise invalid_api_key (401). A valid key is accepted even if the quota is exceeded.
 */
export async function authenticate(call: Call): Promise<Policy | AppError> {
  const presented = bearer(headerOf(call, 'authorization'));
  if (presented === null) return fail(call, 'missing');
  const form = checkKeyFormat(presented);
  // A key with a wrong format or environment is refused without a database query.
  if (form !== 'well_formed') return fail(call, form === 'wrong_environment' ? form : null);
  const policy = await policyOfHash(hashKey(presented).toString('base64'));
  if (!policy) return fail(call, null);
  // Sets the policy first. If the key has expired or was revoked, the log entry of the request then still contains the
  // key's application.
  call.policy = policy;
  if (!isKeyLive(policy, call.at.getTime())) return fail(call, null);
  return policy;
}

/** Returns the token of a Bearer credential, or null if the header contains none. The scheme is case-insensitive. */
function bearer(header: string | null): string | null {
  if (header?.slice(0, 7).toLowerCase() !== 'bearer ') return null;
  return header.slice(7).trim() || null;
}

async function fail(call: Call, reason: ReasonOf<'invalid_api_key'> | null): Promise<AppError> {
  call.refused = true;
  call.quota = await consumeFailure(call.address);
  const { exceeded, retryAfter } = call.quota;
  if (exceeded) return new AppError('rate_limited', { reason: 'failed_authentication', retryAfter });
  return new AppError('invalid_api_key', { reason });
}
