/**
 * An active endpoint is failing if its last attempt failed. It is also failing if it had at least `MIN_ATTEMPTS`
 * attempts in the last 24 hours, and less than the fraction `MIN_SUCCESS` of these attempts succeeded. Test events do
 * not count.
 */
export const MIN_ATTEMPTS = 5;
export const MIN_SUCCESS = 0.8;

/**
 * Returns whether an endpoint is failing. All pages use this function.
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
