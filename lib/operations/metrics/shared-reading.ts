import type { Clock } from '@/lib/platform/clock';

/**
 * Returns a function that returns the latest reading if that reading began less than `maxAge` milliseconds ago.
 * Otherwise, the function takes a new reading. Calls during a reading wait for it and share its result. A failed
 * reading (null) is not reused.
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
    // The age is negative if the system's clock was set back.
    if (latest && age >= 0 && age < maxAge) return latest.value;
    pending ??= take().finally(() => {
      pending = null;
    });
    return pending;
  };
}
