/**
 * Minutes after a sign-in, or after a confirmation of the session, for which sensitive changes need no further
 * confirmation. An owner can do a round of work without a second prompt, and a browser that was left unattended soon
 * allows none of it. The server and the pages use this limit.
 */
export const CONFIRMED_MINUTES = 30;

/** Returns whether a session, last confirmed at `confirmedAt`, allows sensitive changes. */
export function isConfirmed(now: Date, { confirmedAt }: { confirmedAt: Date }): boolean {
  return now.getTime() - confirmedAt.getTime() < CONFIRMED_MINUTES * 60_000;
}
