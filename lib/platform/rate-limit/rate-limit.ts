import type { Redis } from 'ioredis';
import {
  type RateLimiterAbstract,
  RateLimiterCluster,
  RateLimiterClusterMaster,
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRedis,
  type RateLimiterRes,
} from 'rate-limiter-flexible';
import { isWorker } from '../cluster';
import { pool } from '../db';
import { env } from '../env';
import { recurringWarning } from '../recurring-warning';
import { singleton } from '../singleton';
import { outsideScopes } from '../tenant-scope';
import { within } from '../write-transaction';
import { networkOf } from './network';

/** Per client network and window (contract B2). */
const FAILURES_PER_WINDOW = 30;

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

/** Counts `points` at a tenth of their cost, and returns how many to charge: over a window, a tenth of all points, rounded up. */
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

/** Seconds (contract B9). */
export const WINDOW = 60;

/** Maximum milliseconds to wait for the process, server, or database that counts. Then this process counts in its memory. */
const TIMEOUT = 1_000;

/** Points are only added and read, never refused by the library, because a limit can change within a window. */
const OPTIONS = { keyPrefix: '', points: 1, duration: WINDOW };

/** `left` is in milliseconds. Null if the key has no window. */
type Window = { used: number; left: number } | null;

/** Counts points per key. The first point begins a window of `WINDOW` seconds, after which the count is zero again. */
type Store = {
  /** Negative `points` are subtracted. */
  add: (key: string, points: number) => Promise<Window>;
  read: (key: string) => Promise<Window>;
};

/**
 * Returns the store of this process: Redis or PostgreSQL if several instances share their counts, the memory of the
 * primary process for a worker, and otherwise the memory of this process. If the store fails, this process counts in its
 * own memory.
 */
function createStore(): Store {
  const memory = new RateLimiterMemory(OPTIONS);
  const limiter = sharedLimiter();
  if (limiter === null)
    return {
      add: async (key, points) => windowOf(await memory.penalty(key, points)),
      read: async (key) => windowOf(await memory.get(key)),
    };
  const ask = (call: (limiter: RateLimiterAbstract) => Promise<RateLimiterRes | null>) =>
    outsideScopes(() => within(performance.now() + TIMEOUT, limiter.then(call)).catch(() => call(memory))).then(
      windowOf,
    );
  return {
    add: (key, points) => ask((limiter) => limiter.penalty(key, points)),
    read: (key) => ask((limiter) => limiter.get(key)),
  };
}

function sharedLimiter(): Promise<RateLimiterAbstract> | null {
  const { INSTANCES, REDIS_URL, ENVIRONMENT } = env();
  if (INSTANCES !== 1 && REDIS_URL) return redisLimiter(REDIS_URL, `partner-booking-${ENVIRONMENT}`);
  if (INSTANCES !== 1)
    return Promise.resolve(
      new RateLimiterPostgres({
        ...OPTIONS,
        storeClient: pool(),
        storeType: 'pool',
        tableName: 'rate_limits',
        tableCreated: true,
      }),
    );
  return isWorker() ? Promise.resolve(new RateLimiterCluster({ ...OPTIONS, timeoutMs: TIMEOUT })) : null;
}

const uncounted = recurringWarning('Redis is not reachable, so each process counts the rate limits itself');

async function redisLimiter(url: string, keyPrefix: string): Promise<RateLimiterAbstract> {
  const storeClient = await connectTo(url);
  return new RateLimiterRedis({ ...OPTIONS, keyPrefix, storeClient, rejectIfRedisNotReady: true });
}

async function connectTo(url: string): Promise<Redis> {
  // Only deployments with Redis need this module.
  const { Redis } = await import('ioredis');
  const redis = new Redis(url, { commandTimeout: TIMEOUT, connectTimeout: TIMEOUT, maxRetriesPerRequest: 0 });
  // The client reports each failed attempt to connect.
  redis.on('ready', uncounted.over);
  redis.on('error', uncounted.warn);
  return redis;
}

/** Makes this primary process keep the rate-limit counts of all workers. */
export function countForWorkers(): void {
  new RateLimiterClusterMaster();
}

const windowOf = (counted: RateLimiterRes | null): Window =>
  counted && { used: counted.consumedPoints, left: counted.msBeforeNext };
