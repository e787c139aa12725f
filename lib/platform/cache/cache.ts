import { LRUCache } from 'lru-cache';
import { outsideScopes } from '../tenant-scope';
import { isFresh, isPolling, onChange, refresh, type Topic } from './changes';

type Options<V> = {
  topic: Topic;
  max: number;
  /** Null is not cached. */
  load: (key: string) => Promise<V | null>;
  /** A change to this record invalidates the cached value. */
  recordOf: (value: V) => string;
};

export type Cache<V> = {
  /** Null if there is no value. A value may be outdated, by less than a second. */
  get: (key: string) => Promise<V | null>;
};

/**
 * Returns a cache that removes an entry when its record changes (architecture 6). A read polls first if the latest poll
 * is too old. A value is not cached if a change was polled while it was loaded.
 */
export function createCache<V extends object>({ topic, max, load, recordOf }: Options<V>): Cache<V> {
  const entries = new LRUCache<string, V>({ max });
  let loading = new Map<string, Promise<V | null>>();
  let epoch = 0;

  const discardLoads = () => {
    epoch += 1;
    loading = new Map();
  };
  onChange({
    changed: (changed, id) => {
      if (changed !== topic) return;
      discardLoads();
      for (const [key, value] of entries.entries()) if (recordOf(value) === id) entries.delete(key);
    },
    reset: () => {
      discardLoads();
      entries.clear();
    },
  });

  const loadAlone = (key: string) => outsideScopes(() => load(key));

  const fill = async (key: string): Promise<V | null> => {
    const startEpoch = epoch;
    const value = await loadAlone(key);
    if (value && startEpoch === epoch) entries.set(key, value);
    return value;
  };

  const loadShared = (key: string): Promise<V | null> => {
    // A change can assign a new map to `loading` before this load ends. The load must be deleted from the map to which it
    // was added.
    const current = loading;
    const pending = current.get(key) ?? fill(key).finally(() => current.delete(key));
    current.set(key, pending);
    return pending;
  };

  const get = async (key: string): Promise<V | null> => {
    if (!isPolling()) return loadAlone(key);
    if (!isFresh()) await refresh();
    // The poll itself can take longer than its result may be trusted.
    if (!isFresh()) return loadAlone(key);
    return entries.get(key) ?? loadShared(key);
  };
  return { get };
}
