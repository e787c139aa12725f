import type { Interval } from './intervals';

/** Without buffers. `startsAt` is in epoch minutes. */
export interface ClaimedTime {
  readonly startsAt: number;
  readonly durationMinutes: number;
}

/**
 * Returns how many minutes of a local day one specialist's claims take, without buffers. A claim counts once, however
 * many of its seats are taken (contract B7).
 */
export function claimedMinutes(claims: readonly ClaimedTime[], day: Interval): number {
  let minutes = 0;
  for (const { startsAt, durationMinutes } of claims) {
    const within = Math.min(startsAt + durationMinutes, day.to) - Math.max(startsAt, day.from);
    if (within > 0) minutes += within;
  }
  return minutes;
}
