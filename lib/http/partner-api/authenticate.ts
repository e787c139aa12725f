import { checkKeyFormat } from '@/lib/access/applications/key-format';
import { hashKey } from '@/lib/access/applications/key-hash';
import { isKeyLive, keepStart, type Policy, policyOfHash } from '@/lib/access/applications/policy';
import { AppError } from '@/lib/contract/errors/app-error';
import type { ReasonOf } from '@/lib/contract/errors/reasons';
import { consumeFailure } from '@/lib/platform/rate-limit/rate-limit';
import { type Call, headerOf } from './call';

/**
 * Step 2 (contract B2): returns the policy of the key in the request, or a refusal. A refusal counts as a failure of
 * the client's address. Up to the address's limit of failures, the refusal is invalid_api_key (401). Above the limit,
 * it is rate_limited (429, reason `failed_authentication`). A valid key is never refused because of earlier failures.
 * Returns no promise if the policy is in memory.
 */
export function authenticate(call: Call): Policy | Promise<Policy | AppError> {
  const header = headerOf(call, 'authorization');
  const known = hashOfSame(call, header);
  const hash = known ?? hashOf(call, header);
  if (hash instanceof Promise) return hash;
  const check = (policy: Policy | null): Policy | Promise<AppError> => {
    if (!policy) return fail(call, null);
    if (known === null && call.connection && header !== null) hashes.set(call.connection, { header, hash });
    return checkLive(call, policy);
  };
  const found = policyOfHash(hash);
  return found instanceof Promise ? found.then<Policy | AppError>(check) : check(found);
}

/** For each connection, the latest Authorization header with a known key, and the key's hash. */
const hashes = new WeakMap<object, { header: string; hash: string }>();

/**
 * Returns the hash of the key if `hashes` contains this header for the connection, otherwise null. Clients send the
 * same key with every request, and computing the hash is the slowest step of a refusal.
 */
function hashOfSame({ connection }: Call, header: string | null): string | null {
  const latest = connection && hashes.get(connection);
  return latest?.header === header ? latest.hash : null;
}

/** Returns the hash of the key in an Authorization header, or the refusal of a malformed header. */
function hashOf(call: Call, header: string | null): string | Promise<AppError> {
  const presented = bearer(header);
  if (presented === null) return fail(call, 'missing');
  const form = checkKeyFormat(presented);
  // A malformed key is refused without a database query.
  if (form !== 'well_formed') return fail(call, form === 'wrong_environment' ? form : null);
  return hashKey(presented).toString('base64');
}

function checkLive(call: Call, policy: Policy): Policy | Promise<AppError> {
  // The policy is set before the expiry is checked, so that the request log attributes the failure of an expired or
  // revoked key to the key's application.
  call.policy = policy;
  if (!isKeyLive(policy, call.at.getTime())) return fail(call, null);
  if (policy.start === null) keepStart(policy, bearer(headerOf(call, 'authorization')) ?? '');
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
