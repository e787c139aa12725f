import { RateLimiterMemory } from 'rate-limiter-flexible';

/** Seconds of one window (contract B9). */
export const WINDOW = 60;
/** Disables the library's limit, which is the same for all keys; each key is compared with its own. */
const NO_LIMIT = 2_147_483_647;

/** A key's current window: the points used in it, and the milliseconds until it ends. Null if there is none. */
export type Window = { used: number; left: number } | null;

/** Counts points per key in windows that begin with a key's first point. */
export type Store = {
  /** Adds points, or takes them back if negative. */
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
