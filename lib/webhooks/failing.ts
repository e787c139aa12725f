/**
 * An active endpoint is failing if its last attempt failed. It is also failing if at least `MIN_ATTEMPTS` attempts from
 * the last 24 hours have ended and fewer than the share `MIN_SUCCESS` of them succeeded. Attempts of test events don't
 * count.
 */
export const MIN_ATTEMPTS = 5;
export const MIN_SUCCESS = 0.8;

/**
 * Returns whether an endpoint is failing. Every page uses this rule, so that no page contradicts another.
 * @param attempts number of attempts from the last 24 hours that have ended.
 * @param lastFailed whether the last attempt failed.
 */
export function isFailing(
  state: 'active' | 'paused' | 'disabled',
  attempts: number,
  succeeded: number,
  lastFailed = false,
): boolean {
  if (state !== 'active') return false;
  return lastFailed || (attempts >= MIN_ATTEMPTS && succeeded < attempts * MIN_SUCCESS);
}
