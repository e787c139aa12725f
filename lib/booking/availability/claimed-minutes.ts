import type { Interval } from './intervals';

/** A claim without its buffers; `startsAt` is in epoch minutes. */
export interface ClaimedTime {
  readonly startsAt: number;
  readonly durationMinutes: number;
}

/**
 * Returns the minutes of one specialist's claims within a local day (see `localDayBounds`), without buffers. A group
 * counts once, and a claim that passes midnight counts in part (contract B7).
 */
export function claimedMinutes(claims: readonly ClaimedTime[], day: Interval): number {
  let minutes = 0;
  for (const { startsAt, durationMinutes } of claims) {
    const within = Math.min(startsAt + durationMinutes, day.to) - Math.max(startsAt, day.from);
    if (within > 0) minutes += within;
  }
  return minutes;
}
