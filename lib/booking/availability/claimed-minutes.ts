import type { Interval } from './intervals';

/** A claim without its buffers: `startsAt` in epoch minutes. */
export interface ClaimedTime {
  readonly startsAt: number;
  readonly durationMinutes: number;
}

/**
 * Minutes of one specialist's claims that lie within a local day (see `localDayBounds`): without buffers, a group once
 * however many guests it has, and of a claim that passes midnight only the part within (contract B7).
 */
export function claimedMinutes(claims: readonly ClaimedTime[], day: Interval): number {
  let minutes = 0;
  for (const { startsAt, durationMinutes } of claims) {
    const within = Math.min(startsAt + durationMinutes, day.to) - Math.max(startsAt, day.from);
    if (within > 0) minutes += within;
  }
  return minutes;
}
