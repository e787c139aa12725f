import type { ClaimGroup } from './claims';
import type { PreparedService } from './prepare';
import type { Claim, ExcludedSeat } from './query';

/**
 * Returns claims that leave the same slots of the service free as those of the groups, but fewer: claims without a free
 * seat become one if no slot fits between them. Claims of the specialist with the excluded seat are not merged.
 */
export function busyClaims(
  groups: readonly ClaimGroup[],
  service: PreparedService,
  exclude: ExcludedSeat | null,
): readonly Claim[] {
  const room = service.bufferBeforeMinutes + service.durationMinutes + service.bufferAfterMinutes;
  const claims: Claim[] = [];
  for (const group of groups) {
    const isMerged = group.taken >= group.capacity && group.specialistId !== exclude?.specialistId;
    addClaims(claims, group, isMerged ? room : 0);
  }
  return claims;
}

/** Adds the claims of a group. Merges those with a gap of less than `room` minutes, if `room` is not zero. */
function addClaims(claims: Claim[], group: ClaimGroup, room: number): void {
  const { specialistId, serviceId, locationId, capacity, taken, durationMinutes, bufferBefore, bufferAfter } = group;
  let last: { to: number } | null = null;
  for (const startsAt of group.starts) {
    const from = startsAt - bufferBefore;
    const to = startsAt + durationMinutes + bufferAfter;
    if (last !== null && from - last.to < room) {
      last.to = to;
      continue;
    }
    const claim = { specialistId, serviceId, locationId, startsAt, from, to, capacity, taken };
    claims.push(claim);
    if (room > 0) last = claim;
  }
}
