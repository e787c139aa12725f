import { isFresh } from '@/lib/platform/cache/listener';
import { pool } from '@/lib/platform/db';
import { singleton } from '@/lib/platform/singleton';
import { within } from '@/lib/platform/write-transaction';

/**
 * Timeout of the database check in milliseconds. It is short because the callers of the health check have short
 * timeouts too.
 */
const CHECK_TIMEOUT = 2_000;

type State = { draining: boolean; pendingCheck: Promise<boolean> | null };

function state(): State {
  return singleton('health', () => ({ draining: false, pendingCheck: null }));
}

/** The health of this process. `draining` means that it is shutting down but still serves requests. */
export type Health = 'ok' | 'unavailable' | 'draining';

/**
 * Returns the health of this process. It is `ok` if the process is not draining, the database responds, and cache
 * invalidations arrive.
 */
export async function checkHealth(): Promise<Health> {
  const current = state();
  if (current.draining) return 'draining';
  if (!isFresh()) return 'unavailable';
  // Anyone may call the endpoint, so concurrent calls share one database query.
  current.pendingCheck ??= databaseResponds().finally(() => {
    current.pendingCheck = null;
  });
  const responds = await current.pendingCheck;
  if (current.draining) return 'draining';
  return responds && isFresh() ? 'ok' : 'unavailable';
}

async function databaseResponds(): Promise<boolean> {
  try {
    await within(performance.now() + CHECK_TIMEOUT, pool().query('SELECT 1'));
    return true;
  } catch {
    return false;
  }
}

/** Makes the health check report `draining`, so that proxies send no further requests. */
export function beginDraining(): void {
  state().draining = true;
}

/** Returns whether this process is shutting down. */
export function isDraining(): boolean {
  return state().draining;
}
