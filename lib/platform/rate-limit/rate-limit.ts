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
/** Failed authentications a minute that an address may have (contract B2). */
const FAILURES_PER_WINDOW = 30;
/** The library's own limit is out of the way: every key has a limit of its own, compared here. */
const NO_LIMIT = 2_147_483_647;

/** Where a caller stands in the current window; the X-RateLimit headers say it. */
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
      // While the database is away each instance counts for itself: a limit stays a limit.
      insuranceLimiter: new RateLimiterMemory(memory),
    });
  });
}

// The store counts from when it was asked, not from when the request came in: the reset is told from that moment.
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

/** Counts one request of an application, over all its keys, and returns where it stands (contract B9). */
export async function consumeQuota(applicationId: string, limit: number): Promise<Quota> {
  return quotaOf(limit, await limiter().consume(applicationId));
}

/** Returns where an application stands without counting (a step-3 refusal, contract B2). */
export async function readQuota(applicationId: string, limit: number): Promise<Quota> {
  return quotaOf(limit, await limiter().get(applicationId));
}

/** Counts one failed authentication of an address and returns where it stands (contract B2). */
export async function consumeFailure(address: string): Promise<Quota> {
  return quotaOf(FAILURES_PER_WINDOW, await limiter().consume(`failures:${address}`));
}

/** Returns where an address stands without counting: the headers of answers that no application has (contract B2). */
export async function failureQuota(address: string): Promise<Quota> {
  return quotaOf(FAILURES_PER_WINDOW, await limiter().get(`failures:${address}`));
}

/** Counts one attempt under a name of the caller's, such as a sign-in, and returns where it stands in its minute. */
export async function consumeAttempt(name: string, limit: number): Promise<Quota> {
  return quotaOf(limit, await limiter().consume(`attempt:${name}`));
}

/** Takes back one attempt under a name: it was none to be counted. */
export async function giveBackAttempt(name: string): Promise<void> {
  await limiter().reward(`attempt:${name}`);
}
