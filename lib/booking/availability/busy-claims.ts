import type { ClaimGroup } from './claims';
import type { PreparedService } from './prepare';
import type { Claim } from './query';

/**
 * Returns the claims of all `groups` as one list. To keep the list short, consecutive claims without a free seat are
 * merged if the gap between them is too short for `service`.
 */
export function busyClaims(groups: readonly ClaimGroup[], service: PreparedService): readonly Claim[] {
  const room = service.bufferBeforeMinutes + service.durationMinutes + service.bufferAfterMinutes;
  const claims: Claim[] = [];
  for (const group of groups) {
    addClaims(claims, group, group.taken >= group.capacity ? room : 0);
  }
  return claims;
}

/** Merges claims with a gap of less than `room` minutes. */
function addClaims(claims: Claim[], group: ClaimGroup, room: number): void {
  const { starts, durationMinutes, bufferBefore, bufferAfter } = group;
  const { specialistId, serviceId, locationId, capacity, taken, isOwn } = group;
  let last: { to: number } | null = null;
  for (const startsAt of starts) {
    const from = startsAt - bufferBefore;
    const to = startsAt + durationMinutes + bufferAfter;
    if (last !== null && from - last.to < room) {
      last.to = to;
      continue;
    }
    // A wide read has thousands of claims, and an object spread would take several times as long.
    const claim = { specialistId, serviceId, locationId, capacity, taken, isOwn, startsAt, from, to };
    claims.push(claim);
    if (room > 0) last = claim;
  }
}
