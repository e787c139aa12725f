import { LRUCache } from 'lru-cache';
import { outsideScopes } from '../tenant-scope';
import { isFresh, isListening, onInvalidation, type Topic } from './listener';
import { VERSION_LIFETIME, versionOf } from './versions';

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
  get: (key: string) => V | Promise<V | null>;
};

/** A cached value. `version` is the record's version before the value was read, or null if that version is unknown. */
type Entry<V> = { value: V; version: string | null };

type Load<V> = { startedAt: number; value: Promise<V | null> };

/**
 * Returns a cache that removes an entry when its record changes (architecture 6). The database sends a notification of
 * each change. While notifications may be delayed (`isFresh` returns false), an entry is used only if the record in the
 * database still has the entry's version. A value is not cached if a notification arrived while the value was being
 * loaded, because the value may be outdated.
 */
export function createCache<V extends object>({ topic, max, load, recordOf }: Options<V>): Cache<V> {
  const entries = new LRUCache<string, Entry<V>>({ max });
  let loading = new Map<string, Load<V>>();
  let epoch = 0;

  const discardLoads = () => {
    epoch += 1;
    loading = new Map();
  };
  onInvalidation(
    (changed, id) => {
      if (changed !== topic) return;
      discardLoads();
      for (const [key, { value }] of entries.entries()) if (recordOf(value) === id) entries.delete(key);
    },
    () => {
      discardLoads();
      entries.clear();
    },
  );

  const fill = async (key: string, version: string | null): Promise<V | null> => {
    const startEpoch = epoch;
    const value = await outsideScopes(() => load(key));
    if (value && startEpoch === epoch) entries.set(key, { value, version });
    return value;
  };

  /** Loads a value. Calls for the same key share a load that began less than a second ago. */
  const loadShared = (key: string, version: string | null): Promise<V | null> => {
    const startedAt = performance.now();
    const pending = loading.get(key);
    if (pending && startedAt - pending.startedAt < VERSION_LIFETIME) return pending.value;
    // An invalidation can assign a new map to `loading` before this load ends. The load must be deleted from the map to
    // which it was added.
    const current = loading;
    const started: Load<V> = {
      startedAt,
      value: fill(key, version).finally(() => current.get(key) === started && current.delete(key)),
    };
    current.set(key, started);
    return started.value;
  };

  /** Returns the value of an entry if the record still has the entry's version. Otherwise, loads the value. */
  const verified = (key: string, { value, version }: Entry<V>): V | Promise<V | null> => {
    const compare = (current: string) => (current === version ? value : loadShared(key, current));
    const current = versionOf(topic, recordOf(value));
    return typeof current === 'string' ? compare(current) : current.then(compare);
  };

  const get = (key: string): V | Promise<V | null> => {
    if (!isListening()) return outsideScopes(() => load(key));
    const entry = entries.get(key);
    if (!entry) return loadShared(key, null);
    return isFresh() ? entry.value : verified(key, entry);
  };
  return { get };
}
