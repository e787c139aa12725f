import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterPostgres,
  type RateLimiterRes,
} from 'rate-limiter-flexible';
import { pool } from '../db';
import { env } from '../env';
import { singleton } from '../singleton';

/** Seconds of one window (contract B9). */
const WINDOW = 60;
/** Failed authentications that an address may make in one window (contract B2). */
const FAILURES_PER_WINDOW = 30;
/** Disables the library's limit, which is the same for all keys; `quotaOf` compares each key with its own. */
const NO_LIMIT = 2_147_483_647;

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

function limiter(): RateLimiterAbstract {
  return singleton('rate-limit', () => {
    const memory = { points: NO_LIMIT, duration: WINDOW, keyPrefix: '' };
    if (env().INSTANCES === 1) return new RateLimiterMemory(memory);
    return new RateLimiterPostgres({
      ...memory,
      storeClient: pool(),
      tableName: 'rate_limits',
      tableCreated: true,
      // While the database is unavailable, each instance counts by itself.
      insuranceLimiter: new RateLimiterMemory(memory),
    });
  });
}

// The store's time left is relative to its response, so the reset is computed from now, not from the request's arrival.
function quotaOf(limit: number, state: RateLimiterRes | null): Quota {
  const left = state && state.msBeforeNext > 0 ? state.msBeforeNext : 0;
  const consumed = left > 0 && state ? state.consumedPoints : 0;
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
export async function consumeQuota(applicationId: string, limit: number): Promise<Quota> {
  return quotaOf(limit, await limiter().consume(applicationId));
}

/** Returns an application's quota without counting a request (for step-3 refusals, contract B2). */
export async function readQuota(applicationId: string, limit: number): Promise<Quota> {
  return quotaOf(limit, await limiter().get(applicationId));
}

/** Counts one failed authentication of an address and returns the quota (contract B2). */
export async function consumeFailure(address: string): Promise<Quota> {
  return quotaOf(FAILURES_PER_WINDOW, await limiter().consume(`failures:${address}`));
}

/** Returns an address's failure quota without counting, for the headers of unauthenticated responses (contract B2). */
export async function failureQuota(address: string): Promise<Quota> {
  return quotaOf(FAILURES_PER_WINDOW, await limiter().get(`failures:${address}`));
}

/** Counts one attempt, such as a sign-in, under a name that the caller chooses, and returns the quota. */
export async function consumeAttempt(name: string, limit: number): Promise<Quota> {
  return quotaOf(limit, await limiter().consume(`attempt:${name}`));
}

/** Takes back one counted attempt. */
export async function refundAttempt(name: string): Promise<void> {
  await limiter().reward(`attempt:${name}`);
}
