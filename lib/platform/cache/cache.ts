import { LRUCache } from 'lru-cache';
import { outsideScopes } from '../tenant-scope';
import { isFresh, isPolling, onChange, refresh, type Topic } from './changes';

type Options<V> = {
  topic: Topic;
  max: number;
  /** Reads a value from the database. Returns null if there is no value. Null is not cached. */
  load: (key: string) => Promise<V | null>;
  /**
   * Returns the id of the record from which the value was read. A change to this record invalidates the cached value.
   */
  recordOf: (value: V) => string;
};

export type Cache<V> = {
  /** Returns the value for a key, or null if there is no value. The value may be outdated, by less than a second. */
  get: (key: string) => Promise<V | null>;
};

/**
 * Returns a cache that removes an entry when its record changes (architecture 6). Changes are polled twice a second. If
 * the latest poll is too old (`isFresh` returns false), a read polls first. A value is not cached if a change was polled
 * while the value was being loaded, because the value may be outdated.
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

  /** Loads a value. Concurrent calls for the same key share a load. */
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
