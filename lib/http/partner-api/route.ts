import type { Policy } from '@/lib/access/applications/policy';
import type { Scope } from '@/lib/contract/common';
import { AppError, notFound } from '@/lib/contract/errors/app-error';
import { type KnownPath, matchPath } from '@/lib/contract/routing';
import { env } from '@/lib/platform/env';

/** Returns the known path of a request. In LIVE, the paths of the sandbox are unknown (contract B20). */
export function knownPath(path: string): KnownPath | null {
  const match = matchPath(path);
  return match?.testOnly && env().ENVIRONMENT !== 'TEST' ? null : match;
}

/** Step 5 (contract B2) for an unknown path or method. Returns the 404 or 405, and the pattern of a known path. */
export function refuseRoute(path: string): { route: string | null; error: AppError } {
  const match = knownPath(path);
  if (!match) return { route: null, error: notFound() };
  const message = 'The method is not allowed on this path.';
  return { route: match.pattern, error: new AppError('invalid_request', { allow: match.methods, message }) };
}

/** Step 5 (contract B2). @throws AppError insufficient_scope if the application does not have the scope. */
export function checkScope(policy: Policy, scope: Scope): void {
  if (!policy.scopes.has(scope)) throw new AppError('insufficient_scope');
}
