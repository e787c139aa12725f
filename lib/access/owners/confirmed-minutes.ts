/** Minutes: long enough for a round of work, too short for much use of an unattended browser. Pages use it too. */
export const CONFIRMED_MINUTES = 30;

/** Returns whether a session, last confirmed at `confirmedAt`, allows sensitive changes. */
export function isConfirmed(now: Date, { confirmedAt }: { confirmedAt: Date }): boolean {
  return now.getTime() - confirmedAt.getTime() < CONFIRMED_MINUTES * 60_000;
}
