/** Length of a rate-limit window in seconds (contract B9). */
export const WINDOW = 60;

/**
 * A key's current window: the points used, and the milliseconds until the window ends. Null if the key has no window.
 */
export type Window = { used: number; left: number } | null;

/**
 * Counts points per key, such as the id of an application. When the first point is added to a key, a window of `WINDOW`
 * seconds begins. When the window ends, the count begins again at zero.
 */
export type Store = {
  /** Adds points to the count of a key, or subtracts them if `points` is negative. */
  add: (key: string, points: number) => Window | Promise<Window>;
  read: (key: string) => Window | Promise<Window>;
};

type Counted = { used: number; endsAt: number };

/**
 * Returns a store in the memory of this process. Every partner request calls its functions, so they return values
 * instead of promises, which would be slower.
 */
export function memoryStore(): Store {
  // All windows have the same length, so the first entry of this map is the first to end.
  const windows = new Map<string, Counted>();
  const begin = (key: string, now: number): Counted => {
    const begun = { used: 0, endsAt: now + WINDOW * 1000 };
    windows.delete(key);
    removeEnded(windows, now);
    windows.set(key, begun);
    return begun;
  };
  const currentOf = (key: string, now: number): Counted | null => {
    const window = windows.get(key);
    return window && now < window.endsAt ? window : null;
  };
  return {
    add: (key, points) => {
      const now = performance.now();
      const window = currentOf(key, now) ?? begin(key, now);
      window.used += points;
      return { used: window.used, left: window.endsAt - now };
    },
    read: (key) => {
      const now = performance.now();
      const window = currentOf(key, now);
      return window && { used: window.used, left: window.endsAt - now };
    },
  };
}

/**
 * Maximum number of ended windows that are removed when a new window begins. If only one were removed, the map would
 * never shrink after a flood of requests.
 */
const REMOVED_AT_ONCE = 2;

function removeEnded(windows: Map<string, Counted>, now: number): void {
  let removed = 0;
  for (const [key, { endsAt }] of windows) {
    if (now < endsAt || removed === REMOVED_AT_ONCE) return;
    windows.delete(key);
    removed += 1;
  }
}
