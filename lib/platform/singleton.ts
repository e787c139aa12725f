type Store = Map<string, unknown>;

const KEY = Symbol.for('partner-booking.singletons');

/**
 * Returns the process-wide value with this name. It is on `globalThis`, because the server bundle and the Next.js
 * bundles contain separate copies of each module (architecture 3, Client address).
 */
export function singleton<T>(name: string, create: () => T): T {
  const holder = globalThis as { [KEY]?: Store };
  holder[KEY] ??= new Map();
  const store = holder[KEY];
  const value = store.get(name);
  if (value !== undefined || store.has(name)) return value as T;
  const created = create();
  store.set(name, created);
  return created;
}

/** Removes the value with this name. The next call of `singleton` creates a new value. */
export function resetSingleton(name: string): void {
  (globalThis as { [KEY]?: Store })[KEY]?.delete(name);
}
