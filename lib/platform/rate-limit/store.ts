import { RateLimiterMemory } from 'rate-limiter-flexible';

/** Length of a window in seconds (contract B9). */
export const WINDOW = 60;
/**
 * A limit that is never reached. The library `rate-limiter-flexible` supports only one limit for all keys, but the
 * limits of keys differ. The caller of the store therefore compares the points of a key with the key's limit.
 */
const NO_LIMIT = 2_147_483_647;

/**
 * A key's current window: the points used, and the milliseconds until the window ends. Null if the key has no window.
 */
export type Window = { used: number; left: number } | null;

/**
 * Counts points per key in windows. A key is a string that names what is counted, such as the id of an application. A
 * window begins when the first point is added to its key.
 */
export type Store = {
  /** Adds points to a key, or subtracts them if `points` is negative. */
  add: (key: string, points: number) => Promise<Window>;
  read: (key: string) => Promise<Window>;
};

/** Returns a store in the memory of this process. */
export function memoryStore(): Store {
  const limiter = new RateLimiterMemory({ points: NO_LIMIT, duration: WINDOW, keyPrefix: '' });
  return {
    add: async (key, points) => {
      const { consumedPoints, msBeforeNext } = await limiter.penalty(key, points);
      return { used: consumedPoints, left: msBeforeNext };
    },
    read: async (key) => {
      const found = await limiter.get(key);
      return found && { used: found.consumedPoints, left: found.msBeforeNext };
    },
  };
}
