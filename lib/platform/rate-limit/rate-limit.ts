import { singleton } from '../singleton';
import { networkOf } from './network';
import { createStore, type Store, WINDOW, type Window } from './store';

/** Number of failed authentications that are allowed for one client network in one window (contract B2). */
const FAILURES_PER_WINDOW = 30;

/** The state of a caller's current window, which the X-RateLimit headers show. */
export type Quota = {
  limit: number;
  remaining: number;
  /** The end of the window in Unix seconds. */
  reset: number;
  /** Seconds until the window ends, at least 1. */
  retryAfter: number;
  exceeded: boolean;
};

const store = (): Store => singleton('rate-limit', createStore);

// The store computes `window.left` when it responds, so the window ends `window.left` milliseconds from now.
function quotaOf(limit: number, window: Window): Quota {
  const left = window && window.left > 0 ? window.left : 0;
  const consumed = left > 0 && window ? window.used : 0;
  const wait = left > 0 ? left : WINDOW * 1000;
  return {
    limit,
    remaining: Math.max(0, limit - consumed),
    reset: Math.ceil((Date.now() + wait) / 1000),
    retryAfter: Math.max(1, Math.ceil(wait / 1000)),
    exceeded: consumed > limit,
  };
}

/**
 * Counts a request against the quota of an application or a tenant, and returns the quota (contract B9).
 * @param id the id of the application or tenant
 */
export async function consumeQuota(id: string, limit: number, points = 1): Promise<Quota> {
  return quotaOf(limit, await store().add(id, points));
}

/** Returns an application's quota without counting a request. Use it for the refusals in step 3 of contract B2. */
export async function readQuota(applicationId: string, limit: number): Promise<Quota> {
  return quotaOf(limit, await store().read(applicationId));
}

/** Returns the key under which failed authentications from an address's network are counted. */
function failuresOf(address: string): string {
  return `failures:${networkOf(address)}`;
}

/** Counts one failed authentication from an address, and returns the quota of the address's network (contract B2). */
export async function consumeFailure(address: string): Promise<Quota> {
  return quotaOf(FAILURES_PER_WINDOW, await store().add(failuresOf(address), 1));
}

/**
 * Returns the quota for failed authentications from an address's network. Response headers state it (contract B2).
 * Counts no failure.
 */
export async function failureQuota(address: string): Promise<Quota> {
  return quotaOf(FAILURES_PER_WINDOW, await store().read(failuresOf(address)));
}

/**
 * Counts one attempt, such as a sign-in, and returns how many more attempts are allowed (see `Quota`).
 * @param name a name that the caller chooses. Attempts with the same name are counted together.
 */
export async function consumeAttempt(name: string, limit: number): Promise<Quota> {
  return quotaOf(limit, await store().add(`attempt:${name}`, 1));
}

/** Subtracts one of the attempts that `consumeAttempt` counted under `name`. */
export async function refundAttempt(name: string): Promise<void> {
  await store().add(`attempt:${name}`, -1);
}
