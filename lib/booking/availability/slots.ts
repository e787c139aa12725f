import {
  boundaryInstant,
  DAY,
  dayExists,
  formatInstant,
  parseDay,
  parseTime,
  startInstant,
  type Zone,
} from '@/lib/platform/time-zones';
import {
  type BlockedTime,
  bookableStarts,
  type Claim,
  type DateRange,
  hoursBetween,
  type Interval,
  intersectIntervals,
  memberOf,
  mergeIntervals,
  type PreparedLocation,
  type PreparedSpecialist,
  type SlotQuery,
  startWindow,
  subtractIntervals,
} from './input';

export interface SlotsQuery extends SlotQuery, DateRange {
  readonly limit?: number;
  /** Whether only the first slot of each local day is returned. */
  readonly firstOfDay?: boolean;
  /** Sorted and disjoint, in epoch minutes. Other starts are left out. If null, none is. */
  readonly starts?: readonly Interval[] | null;
}

/**
 * Returns the slots of a range, one per start, ordered by start (contract B6). A date that is past, beyond
 * `maxAdvanceDays`, or skipped has none.
 * @throws RangeError if a date is malformed or `dateTo` is more than 30 days after `date`.
 */
export function slotsForRange(query: SlotsQuery): Slot[] {
  const { service, location, limit = Infinity, firstOfDay = false, starts = null } = query;
  const { firstDay, lastDay, earliest, latest } = startWindow(service, query, query.now);
  const slots: Slot[] = [];
  if (firstDay > lastDay || earliest > latest || limit < 1) return slots;
  const claims = claimsBySpecialist(query);
  const closed = closedBySpecialist(query);
  const isWanted = starts && memberOf(starts);
  let timelines: ReturnType<typeof buildTimelines> = [];
  for (let day = firstDay; day <= lastDay; day++) {
    // Timelines are built one week at a time, because the slots of a few days usually fill the page.
    if ((day - firstDay) % 7 === 0) timelines = buildTimelines(query, claims, closed, day, Math.min(day + 6, lastDay));
    for (let minute = 0; minute < DAY; minute += service.slotIntervalMinutes) {
      const start = startInstant(location.zone, day * DAY + minute);
      if (start === null || start < earliest) continue;
      if (start > latest) return slots;
      if (isWanted && !isWanted(start)) continue;
      const slot = slotOf(timelines, query, start);
      if (typeof slot === 'string') continue;
      slots.push(slot);
      if (slots.length >= limit) return slots;
      if (firstOfDay) break;
    }
  }
  return slots;
}

export interface StartQuery extends SlotQuery {
  /** `YYYY-MM-DD` */
  readonly date: string;
  /** `HH:MM` */
  readonly startTime: string;
  readonly specialistId?: string | null;
}

/** In the order of the checks (contract B3). */
export type UnavailableReason =
  | 'specialist_unavailable'
  | 'nonexistent_local_time'
  | 'lead_time'
  | 'max_advance'
  | 'off_grid'
  | 'outside_schedule'
  | 'slot_taken';

/** The claim would be [from, to) in epoch minutes, buffers included. */
export interface BookableSlot extends Slot {
  readonly from: number;
  readonly to: number;
}

export type SlotCheck =
  | { readonly ok: true; readonly slot: BookableSlot }
  | { readonly ok: false; readonly reason: UnavailableReason };

/**
 * Returns the instant of a local start in epoch minutes, null if it does not exist, and the first reason that holds for
 * every specialist. The reasons of single specialists come after these.
 */
export function startAt(
  { service, location, now }: Pick<SlotQuery, 'service' | 'location' | 'now'>,
  day: number,
  minute: number,
): { start: number | null; reason: UnavailableReason | null } {
  const start = startInstant(location.zone, day * DAY + minute);
  if (start === null) return { start, reason: 'nonexistent_local_time' };
  const { earliest, latest } = bookableStarts(service, now);
  if (start < earliest) return { start, reason: 'lead_time' };
  if (start > latest) return { start, reason: 'max_advance' };
  return { start, reason: minute % service.slotIntervalMinutes === 0 ? null : 'off_grid' };
}

/**
 * Returns the slot at `date` and `startTime` if it can be booked at `now`, or the first reason in the order of contract
 * B3. A start that is not a multiple of the slot interval is `off_grid`.
 * @throws RangeError if the date or the time is malformed.
 */
export function checkSlot(query: StartQuery): SlotCheck {
  const { service, specialistId } = query;
  const day = parseDay(query.date);
  const minute = parseTime(query.startTime);
  let narrowed: SlotQuery = query;
  if (specialistId != null) {
    const specialists = query.specialists.filter(({ id }) => id === specialistId);
    if (specialists.length === 0) return { ok: false, reason: 'specialist_unavailable' };
    narrowed = { ...query, specialists };
  }
  const { start, reason } = startAt(query, day, minute);
  if (start === null || reason !== null) return { ok: false, reason: reason ?? 'nonexistent_local_time' };
  const timelines = buildTimelines(narrowed, claimsBySpecialist(narrowed), closedBySpecialist(narrowed), day, day);
  const slot = slotOf(timelines, narrowed, start);
  if (typeof slot === 'string') return { ok: false, reason: slot };
  const from = start - service.bufferBeforeMinutes;
  const to = slot.endsAt + service.bufferAfterMinutes;
  return { ok: true, slot: { ...slot, from, to } };
}

interface SlotTimes {
  readonly date: string;
  readonly start_time: string;
  readonly end_time: string;
  readonly starts_at: string;
  readonly ends_at: string;
  readonly time_zone: string;
}

/** Formats the start and the end of a slot (epoch minutes) in the time zone of a location (contract B1). */
export function formatSlotTimes(
  location: PreparedLocation,
  { startsAt, endsAt }: Pick<Slot, 'startsAt' | 'endsAt'>,
): SlotTimes {
  const start = formatInstant(location.zone, startsAt);
  const end = formatInstant(location.zone, endsAt);
  return {
    date: start.date,
    start_time: start.time,
    end_time: end.time,
    starts_at: start.rfc3339,
    ends_at: end.rfc3339,
    time_zone: location.zone.name,
  };
}

/** Has a free seat. */
export interface SlotSpecialist {
  readonly specialistId: string;
  readonly seatsLeft: number;
  /** Whether a claim for exactly this slot has a free seat. If not, a booking needs a new claim. */
  readonly openClaim: boolean;
}

/** Has a free seat. Instants are in epoch minutes. */
export interface Slot {
  readonly startsAt: number;
  readonly endsAt: number;
  /** Of all `specialists` together. */
  readonly availableCapacity: number;
  readonly specialists: readonly SlotSpecialist[];
}

/** The search only moves forward, so starts must be queried in ascending order. */
interface Timeline {
  readonly working: readonly Interval[];
  readonly claims: readonly Claim[];
  /** In the working hours, and without a conflict. */
  readonly free: SlotSpecialist;
  workingCursor: number;
  claimCursor: number;
  /** All starts before this instant have the result `reason`, which is then not computed again. */
  refusedUntil: number;
  reason: NoSeatReason;
}

/** Returns them by the start of their ranges. The seat of the booking that is being rescheduled counts as free. */
export function claimsBySpecialist({ claims, specialists }: SlotQuery): ReadonlyMap<string, readonly Claim[]> {
  const grouped = new Map<string, Claim[]>(specialists.map(({ id }) => [id, []]));
  for (const claim of claims) {
    const group = grouped.get(claim.specialistId);
    if (!claim.isOwn) group?.push(claim);
    // If no other seat of the claim is taken, the claim is left out, because the reschedule deletes it.
    else if (claim.taken > 1) group?.push({ ...claim, taken: claim.taken - 1 });
  }
  for (const group of grouped.values()) group.sort((a, b) => a.from - b.from);
  return grouped;
}

/**
 * Returns the instants of blocked times in a time zone, as sorted and disjoint intervals in epoch minutes. As with
 * hours, a date that the time zone skips is ignored.
 */
export function closedIntervals(zone: Zone, blocks: readonly Interval[]): readonly Interval[] {
  const existing = blocks.filter(({ from }) => dayExists(zone, Math.floor(from / DAY)));
  return mergeIntervals(
    existing.map(({ from, to }) => ({ from: boundaryInstant(zone, from), to: boundaryInstant(zone, to) })),
  );
}

/** Returns when blocks close each specialist's time at the location (see `closedIntervals`). */
export function closedBySpecialist(query: SlotQuery): ReadonlyMap<string, readonly Interval[]> {
  const { specialists, location, blocks } = query;
  const shared = [location.id, location.tenantId];
  const own = new Map<string, BlockedTime[]>(specialists.map(({ id }) => [id, []]));
  for (const block of blocks) own.get(block.subjectId)?.push(block);
  const common = closedIntervals(
    location.zone,
    blocks.filter(({ subjectId }) => shared.includes(subjectId)),
  );
  return new Map(
    [...own].map(([id, list]) => [id, mergeIntervals([...common, ...closedIntervals(location.zone, list)])]),
  );
}

/** Returns a timeline for each specialist. It covers starts on the local days `firstDay` to `lastDay` (contract B6). */
export function buildTimelines(
  query: SlotQuery,
  claims: ReadonlyMap<string, readonly Claim[]>,
  closed: ReadonlyMap<string, readonly Interval[]>,
  firstDay: number,
  lastDay: number,
): Timeline[] {
  const { service, location } = query;
  // An interval can last 24 hours, and if daylight saving skips its end, until the day after that. So one that starts
  // on `firstDay - 2` can end on `firstDay`. An appointment that starts on `lastDay` can end on a later day.
  const from = firstDay - 2;
  const to = lastDay + 1 + Math.ceil(service.durationMinutes / DAY);
  const opening = hoursBetween(location.hours, location.zone, from, to);
  return query.specialists.map((specialist) => ({
    working: subtractIntervals(workingBetween(specialist, query, opening, from, to), closed.get(specialist.id) ?? []),
    claims: claims.get(specialist.id) ?? [],
    free: { specialistId: specialist.id, seatsLeft: service.capacity, openClaim: false },
    workingCursor: 0,
    claimCursor: 0,
    refusedUntil: -Infinity,
    reason: 'outside_schedule',
  }));
}

/** Returns the intervals in which a location is open, sorted and disjoint: all in `range` (epoch minutes), and possibly more. */
export function openTime({ hours, zone }: PreparedLocation, range: Interval): readonly Interval[] {
  const { from, to } = daysOf(range);
  return hoursBetween(hours, zone, from, to);
}

/**
 * Returns the intervals in which a specialist works at a location (contract B6), sorted and disjoint: all in `range`
 * (epoch minutes), and possibly more.
 */
export function workingTime(
  location: PreparedLocation,
  specialist: PreparedSpecialist,
  range: Interval,
): readonly Interval[] {
  const { from, to } = daysOf(range);
  return workingBetween(specialist, { location }, hoursBetween(location.hours, location.zone, from, to), from, to);
}

function daysOf({ from, to }: Interval): Interval {
  // UTC days differ from local days by at most one. A working interval that extends into the range can start up to two
  // days earlier (see `buildTimelines`).
  return { from: Math.floor(from / DAY) - 3, to: Math.floor(to / DAY) + 2 };
}

/** Returns the merged intervals in which a specialist works, within `opening`, without breaks and time off. */
function workingBetween(
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

/** Contract B3. */
export type NoSeatReason = 'outside_schedule' | 'slot_taken';

/** Returns a specialist's free seats at a start, or why there are none. With the same timeline, `start` must not decrease. */
export function seatsAt(timeline: Timeline, query: SlotQuery, start: number): SlotSpecialist | NoSeatReason {
  if (start < timeline.refusedUntil) return timeline.reason;
  const { service } = query;
  const end = start + service.durationMinutes;
  let hours = timeline.working[timeline.workingCursor];
  while (hours !== undefined && hours.to <= start) hours = timeline.working[++timeline.workingCursor];
  if (hours === undefined) return refuse(timeline, 'outside_schedule', Infinity);
  if (hours.from > start) return refuse(timeline, 'outside_schedule', hours.from);
  if (hours.to < end) return refuse(timeline, 'outside_schedule', hours.to);

  const from = start - service.bufferBeforeMinutes;
  const to = end + service.bufferAfterMinutes;
  let claim = timeline.claims[timeline.claimCursor];
  while (claim !== undefined && claim.to <= from) claim = timeline.claims[++timeline.claimCursor];
  if (claim === undefined || claim.from >= to) return timeline.free;
  if (!isOpen(claim, query, start, from, to)) {
    // A later start can be that of this claim, with a free seat.
    if (claim.startsAt > start && claim.taken < claim.capacity) return 'slot_taken';
    const last = hours.to - service.durationMinutes;
    return refuse(timeline, 'slot_taken', Math.min(claim.to + service.bufferBeforeMinutes, last + 1));
  }
  // After a change of time zone rules, claims can overlap.
  const next = timeline.claims[timeline.claimCursor + 1];
  if (next !== undefined && next.from < to) return 'slot_taken';
  return { specialistId: claim.specialistId, seatsLeft: claim.capacity - claim.taken, openClaim: true };
}

function refuse(timeline: Timeline, reason: NoSeatReason, until: number): NoSeatReason {
  timeline.reason = reason;
  timeline.refusedUntil = until;
  return reason;
}

/** Exactly this service, location, start, and range. */
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
 * Returns the slot at a start (epoch minutes), `slot_taken` if a specialist works then, or `outside_schedule`.
 * Availability, creation, and reschedule all use this (contract B7). With the same timelines, the start must not
 * decrease.
 */
function slotOf(timelines: readonly Timeline[], query: SlotQuery, start: number): Slot | NoSeatReason {
  const specialists: SlotSpecialist[] = [];
  let availableCapacity = 0;
  let reason: NoSeatReason = 'outside_schedule';
  for (const timeline of timelines) {
    const offer = seatsAt(timeline, query, start);
    if (offer === 'outside_schedule') continue;
    reason = 'slot_taken';
    if (offer === 'slot_taken') continue;
    specialists.push(offer);
    availableCapacity += offer.seatsLeft;
  }
  if (specialists.length === 0) return reason;
  return { startsAt: start, endsAt: start + query.service.durationMinutes, availableCapacity, specialists };
}
