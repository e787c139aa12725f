import { LRUCache } from 'lru-cache';
import { isFresh, onInvalidation, type Topic } from './listener';

type Options<V> = {
  topic: Topic;
  /** Maximum number of entries. */
  max: number;
  /** Reads a value from the database. A result of null is not cached. */
  load: (key: string) => Promise<V | null>;
  /** Returns whether a change of `id` invalidates this entry. */
  concerns: (value: V, id: string) => boolean;
};

/** A copy of database records in memory. */
export type Cache<V> = {
  /** Returns the value: from memory while the cache is fresh, else from the database. Null if there is none. */
  get: (key: string) => V | Promise<V | null>;
};

/**
 * Returns a cache whose entries are removed when the database notifies of a change (architecture 6). A load that began
 * before an invalidation is not cached, because it may have read the old value.
 */
export function createCache<V extends object>({ topic, max, load, concerns }: Options<V>): Cache<V> {
  const entries = new LRUCache<string, V>({ max });
  let loading = new Map<string, Promise<V | null>>();
  let epoch = 0;

  const discardLoads = () => {
    epoch += 1;
    loading = new Map();
  };
  onInvalidation(
    (changed, id) => {
      if (changed !== topic) return;
      discardLoads();
      for (const [key, value] of entries.entries()) if (concerns(value, id)) entries.delete(key);
    },
    () => {
      discardLoads();
      entries.clear();
    },
  );

  const fill = async (key: string): Promise<V | null> => {
    const startEpoch = epoch;
    const value = await load(key);
    if (value && startEpoch === epoch && isFresh()) entries.set(key, value);
    return value;
  };

  const get = (key: string): V | Promise<V | null> => {
    // Without a recent proof that invalidations arrive, neither entries nor loads are shared.
    if (!isFresh()) return load(key);
    const cached = entries.get(key);
    if (cached) return cached;
    const pending = loading.get(key);
    if (pending) return pending;
    // An invalidation replaces `loading`; the load is then removed from the map that it was added to.
    const current = loading;
    const started = fill(key).finally(() => current.delete(key));
    current.set(key, started);
    return started;
  };
  return { get };
}
