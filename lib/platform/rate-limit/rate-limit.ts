import { singleton } from '../singleton';
import { networkOf } from './network';
import { createStore, type Store, WINDOW, type Window } from './store';

/** Of a quota (contract B9). */
export const QUOTA_SECONDS = WINDOW;

/** Per client network and window (contract B2). */
const FAILURES_PER_WINDOW = 30;

/** Whose requests a window counts. */
type Counted = 'application' | 'business' | 'address';

/** The state of a caller's current window, which the rate-limit headers show. */
export type Quota = {
  policy: Counted;
  limit: number;
  remaining: number;
  /** Unix seconds. */
  reset: number;
  /** Seconds, at least 1. */
  retryAfter: number;
  exceeded: boolean;
};

const store = (): Store => singleton('rate-limit', createStore);

function quotaOf(policy: Counted, limit: number, window: Window): Quota {
  const left = window && window.left > 0 ? window.left : 0;
  // A request of an earlier window can be refunded in this one.
  const consumed = left > 0 && window ? Math.max(0, window.used) : 0;
  const wait = left > 0 ? left : WINDOW * 1000;
  return {
    policy,
    limit,
    remaining: Math.max(0, limit - consumed),
    reset: Math.ceil((Date.now() + wait) / 1000),
    retryAfter: Math.max(1, Math.ceil(wait / 1000)),
    exceeded: consumed > limit,
  };
}

/** Counts a request of an application, and returns its quota (contract B9). */
export async function consumeQuota(applicationId: string, limit: number, points = 1): Promise<Quota> {
  return quotaOf('application', limit, await store().add(applicationId, points));
}

/** Counts a request of a tenant, and returns the quota of all its applications (contract B9). */
export async function consumeTenantQuota(tenantId: string, limit: number, points = 1): Promise<Quota> {
  return quotaOf('business', limit, await store().add(tenantId, points));
}

/**
 * Counts `points` at a tenth of their cost, and returns how many to charge: over a window, a tenth of all points, rounded
 * up.
 */
export async function chargeOfTenth(applicationId: string, points: number): Promise<number> {
  const used = (await store().add(`tenth:${applicationId}`, points))?.used ?? points;
  return Math.ceil(used / 10) - Math.ceil((used - points) / 10);
}

/** Returns an application's quota without counting, for the refusals in step 3 of contract B2. */
export async function readQuota(applicationId: string, limit: number): Promise<Quota> {
  return quotaOf('application', limit, await store().read(applicationId));
}

function failuresOf(address: string): string {
  return `failures:${networkOf(address)}`;
}

/** Counts one failed authentication from an address, and returns the quota of its network (contract B2). */
export async function consumeFailure(address: string): Promise<Quota> {
  return quotaOf('address', FAILURES_PER_WINDOW, await store().add(failuresOf(address), 1));
}

/** Returns the quota for failed authentications of an address's network (contract B2), without counting. */
export async function failureQuota(address: string): Promise<Quota> {
  return quotaOf('address', FAILURES_PER_WINDOW, await store().read(failuresOf(address)));
}

/** Counts one attempt, such as a sign-in, under a name that the caller chooses. */
export async function consumeAttempt(name: string, limit: number): Promise<Quota> {
  return quotaOf('address', limit, await store().add(`attempt:${name}`, 1));
}

/** Subtracts one of the attempts that `consumeAttempt` counted under `name`. */
export async function refundAttempt(name: string): Promise<void> {
  await store().add(`attempt:${name}`, -1);
}
