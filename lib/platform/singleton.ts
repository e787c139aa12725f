type Store = Map<string, unknown>;

const KEY = Symbol.for('partner-booking.singletons');

/**
 * Returns the one value of that name in this process, made by `create` when it is first asked for. The server file
 * and Next's bundles hold separate copies of a module, so what must be one (limiter, caches, buffers, pools) lives
 * on `globalThis` (architecture 3, Client address).
 */
export function singleton<T>(name: string, create: () => T): T {
  const holder = globalThis as { [KEY]?: Store };
  holder[KEY] ??= new Map();
  const store = holder[KEY];
  if (!store.has(name)) store.set(name, create());
  return store.get(name) as T;
}

/** Lets a value go: whoever asks for it next gets a new one. */
export function forget(name: string): void {
  (globalThis as { [KEY]?: Store })[KEY]?.delete(name);
}
