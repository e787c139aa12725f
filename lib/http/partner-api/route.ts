import type { Policy } from '@/lib/access/applications/policy';
import type { Scope } from '@/lib/contract/common';
import { AppError, notFound } from '@/lib/contract/errors/app-error';
import { matchPath } from '@/lib/contract/routing';

/**
 * Runs step 5 (contract B2) for a request that matches no route. Returns the error to throw: 405 if the path is known
 * but does not allow the method, otherwise 404. Also returns the pattern of a known path.
 */
export function refuseRoute(path: string): { route: string | null; error: AppError } {
  const match = matchPath(path);
  if (!match) return { route: null, error: notFound() };
  const message = 'The method is not allowed on this path.';
  return { route: match.pattern, error: new AppError('invalid_request', { allow: match.methods, message }) };
}

/**
 * Step 5 (contract B2): checks the scope that the route requires.
 * @throws AppError insufficient_scope if the application does not have the scope.
 */
export function checkScope(policy: Policy, scope: Scope): void {
  if (!policy.scopes.has(scope)) throw new AppError('insufficient_scope');
}
