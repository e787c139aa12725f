import { isWorker } from '../cluster';
import { env } from '../env';
import { singleton } from '../singleton';
import { clusterStore } from './cluster';
import { postgresStore } from './postgres';
import { memoryStore, type Store, WINDOW, type Window } from './store';

/** Failed authentications that an address may make in one window (contract B2). */
const FAILURES_PER_WINDOW = 30;

/** The state of a caller's current window, as in the X-RateLimit headers. */
export type Quota = {
  limit: number;
  remaining: number;
  /** Unix seconds. */
  reset: number;
  /** Seconds until the window ends, at least 1. */
  retryAfter: number;
  exceeded: boolean;
};

function store(): Store {
  return singleton('rate-limit', () => {
    if (env().INSTANCES > 1) return postgresStore();
    return isWorker() ? clusterStore() : memoryStore();
  });
}

// The store's time left is relative to its response, so the reset is computed from now, not from the request's arrival.
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

/** Counts one request of an application, across all its keys, and returns the quota (contract B9). */
export async function consumeQuota(applicationId: string, limit: number, points = 1): Promise<Quota> {
  return quotaOf(limit, await store().add(applicationId, points));
}

/** Returns an application's quota without counting a request (for step-3 refusals, contract B2). */
export async function readQuota(applicationId: string, limit: number): Promise<Quota> {
  return quotaOf(limit, await store().read(applicationId));
}

/** Counts one failed authentication of an address and returns the quota (contract B2). */
export async function consumeFailure(address: string): Promise<Quota> {
  return quotaOf(FAILURES_PER_WINDOW, await store().add(`failures:${address}`, 1));
}

/** Returns an address's failure quota without counting, for the headers of unauthenticated responses (contract B2). */
export async function failureQuota(address: string): Promise<Quota> {
  return quotaOf(FAILURES_PER_WINDOW, await store().read(`failures:${address}`));
}

/** Counts one attempt, such as a sign-in, under a name that the caller chooses, and returns the quota. */
export async function consumeAttempt(name: string, limit: number): Promise<Quota> {
  return quotaOf(limit, await store().add(`attempt:${name}`, 1));
}

/** Takes back one counted attempt. */
export async function refundAttempt(name: string): Promise<void> {
  await store().add(`attempt:${name}`, -1);
}
