import { Redis } from 'ioredis';
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
import { log } from '../log';
import { outsideScopes } from '../tenant-scope';

/** Seconds (contract B9). */
export const WINDOW = 60;

/** Maximum milliseconds to wait for the process or server that counts. After that, this process counts in its memory. */
const TIMEOUT = 1_000;

/** Points are only added and read, never refused by the library, because a limit can change within a window. */
const OPTIONS = { keyPrefix: '', points: 1, duration: WINDOW };

/** `left` is in milliseconds. Null if the key has no window. */
export type Window = { used: number; left: number } | null;

/** Counts points per key. The first point begins a window of `WINDOW` seconds, after which the count is zero again. */
export type Store = {
  /** Negative `points` are subtracted. */
  add: (key: string, points: number) => Promise<Window>;
  read: (key: string) => Promise<Window>;
};

/**
 * Returns the store of this process: Redis or PostgreSQL if several instances share their counts, the memory of the
 * primary process for a worker, and otherwise the memory of this process. If the store fails, this process counts in its
 * own memory.
 */
export function createStore(): Store {
  const memory = new RateLimiterMemory(OPTIONS);
  const limiter = sharedLimiter();
  if (limiter === null)
    return {
      add: async (key, points) => windowOf(await memory.penalty(key, points)),
      read: async (key) => windowOf(await memory.get(key)),
    };
  const ask = (call: (limiter: RateLimiterAbstract) => Promise<RateLimiterRes | null>) =>
    outsideScopes(() => call(limiter).catch(() => call(memory))).then(windowOf);
  return {
    add: (key, points) => ask((limiter) => limiter.penalty(key, points)),
    read: (key) => ask((limiter) => limiter.get(key)),
  };
}

function sharedLimiter(): RateLimiterAbstract | null {
  const { INSTANCES, REDIS_URL, ENVIRONMENT } = env();
  if (INSTANCES !== 1 && REDIS_URL)
    return new RateLimiterRedis({
      ...OPTIONS,
      keyPrefix: `partner-booking-${ENVIRONMENT}`,
      storeClient: connectTo(REDIS_URL),
      rejectIfRedisNotReady: true,
    });
  if (INSTANCES !== 1)
    return new RateLimiterPostgres({
      ...OPTIONS,
      storeClient: pool(),
      storeType: 'pool',
      tableName: 'rate_limits',
      tableCreated: true,
    });
  return isWorker() ? new RateLimiterCluster({ ...OPTIONS, timeoutMs: TIMEOUT }) : null;
}

function connectTo(url: string): Redis {
  const redis = new Redis(url, { commandTimeout: TIMEOUT, connectTimeout: TIMEOUT, maxRetriesPerRequest: 0 });
  // The client reports each failed attempt to connect. One line per outage is enough.
  let reported = false;
  redis.on('ready', () => {
    reported = false;
  });
  redis.on('error', (error) => {
    if (!reported) log().warn({ err: error }, 'Redis is not reachable, so each process counts the rate limits itself');
    reported = true;
  });
  return redis;
}

/** Makes this primary process keep the rate-limit counts of all workers. */
export function countForWorkers(): void {
  new RateLimiterClusterMaster();
}

const windowOf = (counted: RateLimiterRes | null): Window =>
  counted && { used: counted.consumedPoints, left: counted.msBeforeNext };
