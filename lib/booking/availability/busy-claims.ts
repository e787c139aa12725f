import type { ClaimGroup } from './claims';
import type { PreparedService } from './prepare';
import type { Claim, ExcludedSeat } from './query';

/**
 * Returns the claims of all `groups` as one list. To keep the list short, consecutive claims without a free seat are
 * merged if the gap between them is too short for `service`.
 * @param exclude The seat of the booking that is being rescheduled. Claims of its specialist are not merged, because
 *   the engine must find the claim that contains this seat.
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

/**
 * Appends the claims of a group to `claims`. Consecutive claims with a gap of less than `room` minutes are merged into
 * one claim. If `room` is zero, no claims are merged.
 */
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
