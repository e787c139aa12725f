import { DAY, formatInstant, parseDay, parseTime, startInstant } from '@/lib/platform/time-zones';
import { type Interval, memberOf } from './intervals';
import type { PreparedLocation } from './prepare';
import { bookableStarts, type DateRange, type SlotQuery, startWindow } from './query';
import { buildTimelines, claimsBySpecialist, closedBySpecialist, type Slot, slotOf } from './timeline';

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

export interface SlotTimes {
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
