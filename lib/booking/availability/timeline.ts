import { DAY } from './calendar';
import { type Interval, intersectIntervals, subtractIntervals } from './intervals';
import { hoursBetween, type PreparedSpecialist } from './prepare';
import type { Claim, SlotQuery } from './query';

/** One specialist who can take a guest at a slot. */
export interface SlotSpecialist {
  readonly specialistId: string;
  readonly seatsLeft: number;
  /** True: a group's claim of exactly this slot has a seat left. False: entirely free, a claim must be made. */
  readonly openClaim: boolean;
}

/** One start at which at least one specialist can take a guest; instants in epoch minutes. */
export interface Slot {
  readonly startsAt: number;
  readonly endsAt: number;
  /** Seats left over all `specialists`. */
  readonly availableCapacity: number;
  readonly specialists: readonly SlotSpecialist[];
}

/** A specialist's day as the engine walks it. The cursors only move forward: ask for growing starts. */
interface Timeline {
  readonly working: readonly Interval[];
  readonly claims: readonly Claim[];
  /** The answer when entirely free, made once. */
  readonly free: SlotSpecialist;
  workingCursor: number;
  claimCursor: number;
}

/** Claims of each specialist in order, the excluded seat taken off. */
export function claimsBySpecialist(query: SlotQuery): ReadonlyMap<string, readonly Claim[]> {
  const { claims, exclude } = query;
  const grouped = new Map<string, Claim[]>(query.specialists.map(({ id }) => [id, []]));
  for (const claim of claims) {
    const own = grouped.get(claim.specialistId);
    if (own === undefined) continue;
    if (exclude && exclude.startsAt === claim.startsAt && exclude.specialistId === claim.specialistId) {
      // The last guest out deletes the claim, so one seat fewer of one is no claim at all.
      if (claim.taken > 1) own.push({ ...claim, taken: claim.taken - 1 });
    } else {
      own.push(claim);
    }
  }
  for (const own of grouped.values()) own.sort((a, b) => a.from - b.from);
  return grouped;
}

/**
 * Everything that decides starts on the local days `firstDay` to `lastDay`, one timeline per specialist: opening hours
 * and working hours intersected, breaks and time off taken out, and the claims (contract B6).
 */
export function buildTimelines(
  query: SlotQuery,
  claims: ReadonlyMap<string, readonly Claim[]>,
  firstDay: number,
  lastDay: number,
): Timeline[] {
  const { service, location } = query;
  // Hours last up to 24 hours, so the last days that can reach in are one before, or two when a gap pushes the end on;
  // ahead, the service may run on for as long as it takes.
  const from = firstDay - 2;
  const to = lastDay + 1 + Math.ceil(service.durationMinutes / DAY);
  const opening = hoursBetween(location.hours, location.zone, from, to);
  return query.specialists.map((specialist) => ({
    working: workingBetween(specialist, query, opening, from, to),
    claims: claims.get(specialist.id) ?? [],
    free: { specialistId: specialist.id, seatsLeft: service.capacity, openClaim: false },
    workingCursor: 0,
    claimCursor: 0,
  }));
}

/** When a specialist works on the local days `from` to `to`: within `opening`, without breaks and time off; merged. */
export function workingBetween(
  specialist: PreparedSpecialist,
  { location }: Pick<SlotQuery, 'location'>,
  opening: readonly Interval[],
  from: number,
  to: number,
): readonly Interval[] {
  const working = intersectIntervals(opening, hoursBetween(specialist.hours, location.zone, from, to));
  if (working.length === 0) return working;
  const breaks = specialist.breaks ? hoursBetween(specialist.breaks, location.zone, from, to) : [];
  return subtractIntervals(subtractIntervals(working, breaks), specialist.timeOff);
}

/** Why a specialist cannot take a guest at a start: the contract's words (B3). */
export type Unavailable = 'outside_schedule' | 'slot_taken';

/** One specialist at one start, which must not be before the start last asked for. */
function offerAt(timeline: Timeline, query: SlotQuery, start: number): SlotSpecialist | Unavailable {
  const { service } = query;
  const end = start + service.durationMinutes;
  let hours = timeline.working[timeline.workingCursor];
  while (hours !== undefined && hours.to <= start) hours = timeline.working[++timeline.workingCursor];
  if (hours === undefined || hours.from > start || hours.to < end) return 'outside_schedule';

  const from = start - service.bufferBeforeMinutes;
  const to = end + service.bufferAfterMinutes;
  let claim = timeline.claims[timeline.claimCursor];
  while (claim !== undefined && claim.to <= from) claim = timeline.claims[++timeline.claimCursor];
  if (claim === undefined || claim.from >= to) return timeline.free;
  if (!isOpen(claim, query, start, from, to)) return 'slot_taken';
  return { specialistId: claim.specialistId, seatsLeft: claim.capacity - claim.taken, openClaim: true };
}

/** A seat for exactly this service, location, start and padded range; as claims never overlap, it is then the only one. */
function isOpen(claim: Claim, { service, location }: SlotQuery, start: number, from: number, to: number): boolean {
  return (
    claim.startsAt === start &&
    claim.from === from &&
    claim.to === to &&
    claim.taken < claim.capacity &&
    claim.serviceId === service.id &&
    claim.locationId === location.id
  );
}

/**
 * The slot at a start (epoch minutes), or why there is none: nobody works (`outside_schedule`), or everybody who works
 * is busy (`slot_taken`). The one place that decides what is free: availability, create and reschedule all ask here
 * (contract B7). Starts must not go back between calls on the same timelines.
 */
export function slotOf(timelines: readonly Timeline[], query: SlotQuery, start: number): Slot | Unavailable {
  const specialists: SlotSpecialist[] = [];
  let availableCapacity = 0;
  let reason: Unavailable = 'outside_schedule';
  for (const timeline of timelines) {
    const offer = offerAt(timeline, query, start);
    if (offer === 'outside_schedule') continue;
    reason = 'slot_taken';
    if (offer === 'slot_taken') continue;
    specialists.push(offer);
    availableCapacity += offer.seatsLeft;
  }
  if (specialists.length === 0) return reason;
  return { startsAt: start, endsAt: start + query.service.durationMinutes, availableCapacity, specialists };
}
