/**
 * An active endpoint is failing if its last attempt failed, or if it had at least `MIN_ATTEMPTS` attempts in the last
 * 24 hours, of which less than the fraction `MIN_SUCCESS` succeeded. Test events do not count.
 */
export const MIN_ATTEMPTS = 5;
export const MIN_SUCCESS = 0.8;

/** Returns whether an endpoint is failing. `attempts`: those of the last 24 hours that have ended. */
export function isFailing(
  state: 'active' | 'paused' | 'disabled',
  attempts: number,
  succeeded: number,
  lastFailed = false,
): boolean {
  if (state !== 'active') return false;
  return lastFailed || (attempts >= MIN_ATTEMPTS && succeeded < attempts * MIN_SUCCESS);
}
