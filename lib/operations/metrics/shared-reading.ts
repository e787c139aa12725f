import type { Clock } from '@/lib/platform/clock';

/**
 * Returns a function that calls `read` and shares its result. Calls while `read` is running wait for this result. Later
 * calls get the same result until `maxAge` milliseconds after `read` began. If the result is null, which means that the
 * reading failed, the next call runs `read` again.
 */
export function sharedReading<T>(read: () => Promise<T | null>, maxAge: number, clock: Clock): () => Promise<T | null> {
  let pending: Promise<T | null> | null = null;
  let latest: { at: number; value: T } | null = null;
  const take = async () => {
    const at = clock().getTime();
    const value = await read();
    latest = value === null ? null : { at, value };
    return value;
  };
  return async () => {
    const age = latest ? clock().getTime() - latest.at : Number.POSITIVE_INFINITY;
    // The age is negative if the system's clock was set back. The real age of the reading is then unknown.
    if (latest && age >= 0 && age < maxAge) return latest.value;
    pending ??= take().finally(() => {
      pending = null;
    });
    return pending;
  };
}
