import type { Clock } from '@/lib/platform/clock';

/**
 * Returns a function that shares the result of `read` among concurrent calls, and for `maxAge` milliseconds. Null means
 * that the reading failed, so the next call runs `read` again.
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
    // Negative if the system's clock was set back. The real age is then unknown.
    if (latest && age >= 0 && age < maxAge) return latest.value;
    pending ??= take().finally(() => {
      pending = null;
    });
    return pending;
  };
}
