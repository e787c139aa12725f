import type { Policy } from '@/lib/access/applications/policy';
import { AppError, invalidField } from '@/lib/contract/errors/app-error';
import type { Operation } from '@/lib/contract/operations';
import { isAnswerToken } from '@/lib/platform/answer-token';
import { refreshFromNow } from '@/lib/platform/cache/changes';
import { authenticate } from './authenticate';
import type { Call } from './call';
import { checkRestrictions } from './restrictions';
import { checkScope } from './route';

/**
 * For a query with `min_token`: makes the caches of this process as new as the token, and returns the policy as it is then, or
 * a refusal. All that was committed before the request arrived is included, so also what the token stands for. Otherwise,
 * returns the given policy.
 * @throws AppError invalid_request for a token that was not made for this tenant; insufficient_scope.
 */
export async function notOlder(
  call: Call,
  policy: Policy,
  operation: Operation,
  { min_token: token }: { min_token?: string },
): Promise<Policy | AppError> {
  if (token === undefined) return policy;
  if (!isAnswerToken(policy.tenantId, token)) throw invalidField('min_token', 'must be a token of this business');
  await refreshFromNow();
  const current = await authenticate(call);
  if (current instanceof AppError) return current;
  const refusal = await checkRestrictions(call, current);
  if (refusal) return refusal;
  if (operation.scope !== null) checkScope(current, operation.scope);
  return current;
}
