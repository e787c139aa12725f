import type { Policy } from '@/lib/access/applications/policy';
import type { Scope } from '@/lib/contract/common';
import { AppError, notFound } from '@/lib/contract/errors/app-error';
import { BASE_PATH, readBooking } from '@/lib/contract/operations';
import { type KnownPath, malformedVariable, matchPath } from '@/lib/contract/routing';
import { env } from '@/lib/platform/env';

const WRONG_METHOD = 'The method is not allowed on this path. The Allow header lists those that are.';
/** Of a path whose name suggests another method for what is an action of its own. */
const CHANGES = 'To change a booking, send a POST to its path followed by /actions/cancel or /actions/reschedule.';

/** Returns the known path of a request. In LIVE, the paths of the sandbox are unknown (contract B20). */
export function knownPath(path: string): KnownPath | null {
  const match = matchPath(path);
  return match?.testOnly && env().ENVIRONMENT !== 'TEST' ? null : match;
}

/** Step 5 (contract B2) for an unknown path or method. Returns the 404 or 405, and the pattern of a known path. */
export function refuseRoute(path: string): { route: string | null; error: AppError } {
  const match = knownPath(path);
  if (!match) return { route: null, error: unknownPath(path) };
  const message = match.pattern === BASE_PATH + readBooking.path ? `${WRONG_METHOD} ${CHANGES}` : WRONG_METHOD;
  return { route: match.pattern, error: new AppError('invalid_request', { allow: match.methods, message }) };
}

function unknownPath(path: string): AppError {
  const variable = malformedVariable(path);
  return variable === null ? new AppError('not_found', { reason: 'unknown_route' }) : notFound(variable);
}

/** Step 5 (contract B2). @throws AppError insufficient_scope if the application does not have the scope. */
export function checkScope(policy: Policy, scope: Scope): void {
  if (!policy.scopes.has(scope)) throw new AppError('insufficient_scope');
}
