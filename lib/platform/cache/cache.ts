import { LRUCache } from 'lru-cache';
import { isFresh, onInvalidation, type Topic } from './listener';

type Options<V> = {
  topic: Topic;
  /** Entries kept at most. */
  max: number;
  /** Reads a value from the database; null when there is none, which is not remembered. */
  load: (key: string) => Promise<V | null>;
  /** Tells whether a change of `id` concerns this entry. */
  concerns: (value: V, id: string) => boolean;
};

/** A copy in memory of what the database holds. */
export type Cache<V> = {
  /** Returns the value, from memory when that may be served, else from the database; null when there is none. */
  get: (key: string) => V | Promise<V | null>;
};

/**
 * Returns a cache whose entries are dropped when the database says they changed (architecture 6). A fill that began
 * before an invalidation is thrown away: it may have read what is no longer true.
 */
export function createCache<V extends object>({ topic, max, load, concerns }: Options<V>): Cache<V> {
  const entries = new LRUCache<string, V>({ max });
  let loading = new Map<string, Promise<V | null>>();
  let epoch = 0;

  const forget = () => {
    epoch += 1;
    loading = new Map();
  };
  onInvalidation(
    (changed, id) => {
      if (changed !== topic) return;
      forget();
      for (const [key, value] of entries.entries()) if (concerns(value, id)) entries.delete(key);
    },
    () => {
      forget();
      entries.clear();
    },
  );

  const fill = async (key: string): Promise<V | null> => {
    const begun = epoch;
    const value = await load(key);
    if (value && begun === epoch && isFresh()) entries.set(key, value);
    return value;
  };

  const get = (key: string): V | Promise<V | null> => {
    // Without proof that invalidations arrive, everybody reads for themselves.
    if (!isFresh()) return load(key);
    const known = entries.get(key);
    if (known) return known;
    const underWay = loading.get(key);
    if (underWay) return underWay;
    const mine = loading;
    const filling = fill(key).finally(() => mine.delete(key));
    mine.set(key, filling);
    return filling;
  };
  return { get };
}
