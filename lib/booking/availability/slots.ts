import { DAY, parseDay, parseTime } from './calendar';
import { formatInstant, startInstant } from './local-time';
import type { PreparedLocation } from './prepare';
import { bookableStarts, type DateRange, type SlotQuery, startWindow } from './query';
import { buildTimelines, claimsBySpecialist, type Slot, slotOf } from './timeline';

/** A question about the slots of a range of days. */
export interface SlotsQuery extends SlotQuery, DateRange {
  /** Stop after so many slots; ask for one more than the page to learn whether another page follows. */
  readonly limit?: number;
}

/**
 * The slots of the local days `date` to `dateTo`, one per start, ordered by start (contract B6). A past date, one
 * beyond the horizon and one the zone left out give none.
 * @throws RangeError when a date is malformed or `dateTo` is more than 30 days after `date`
 */
export function slotsForRange(query: SlotsQuery): Slot[] {
  const { service, location, limit = Infinity } = query;
  const { firstDay, lastDay, earliest, latest } = startWindow(service, query, query.now);
  const slots: Slot[] = [];
  if (firstDay > lastDay || earliest > latest || limit < 1) return slots;
  const claims = claimsBySpecialist(query);
  let timelines: ReturnType<typeof buildTimelines> = [];
  for (let day = firstDay; day <= lastDay; day++) {
    // Week by week: a page is mostly full long before the last of 31 days.
    if ((day - firstDay) % 7 === 0) timelines = buildTimelines(query, claims, day, Math.min(day + 6, lastDay));
    for (let minute = 0; minute < DAY; minute += service.slotIntervalMinutes) {
      const start = startInstant(location.zone, day * DAY + minute);
      if (start === null || start < earliest) continue;
      if (start > latest) return slots;
      const slot = slotOf(timelines, query, start);
      if (typeof slot === 'string') continue;
      slots.push(slot);
      if (slots.length >= limit) return slots;
    }
  }
  return slots;
}

/** A question about one start. */
export interface StartQuery extends SlotQuery {
  /** `YYYY-MM-DD` */
  readonly date: string;
  /** `HH:MM` */
  readonly startTime: string;
  /** Only this specialist will do; left out, anybody. */
  readonly specialistId?: string | null;
}

/** The reasons of `booking_unavailable` that the engine decides, in the order it checks them (contract B3). */
export type UnavailableReason =
  | 'specialist_unavailable'
  | 'nonexistent_local_time'
  | 'lead_time'
  | 'max_advance'
  | 'outside_schedule'
  | 'slot_taken';

/** A slot that can be booked now, with the padded range [from, to) its claim must have; epoch minutes. */
export interface BookableSlot extends Slot {
  readonly from: number;
  readonly to: number;
}

/** The slot, or the one reason to answer. */
export type SlotCheck =
  | { readonly ok: true; readonly slot: BookableSlot }
  | { readonly ok: false; readonly reason: UnavailableReason };

/**
 * Whether the slot at `date` + `startTime` can be booked at `now`, and with whom; else the first reason in the order
 * of contract B3. `specialist_unavailable` means the wanted specialist is not among `specialists`; one who is but does
 * not work then is `outside_schedule`, one who works but is busy `slot_taken`. Off the grid is `outside_schedule`.
 * @throws RangeError when date or time is malformed
 */
export function checkSlot(query: StartQuery): SlotCheck {
  const { service, location, specialistId } = query;
  const day = parseDay(query.date);
  const minute = parseTime(query.startTime);
  let asked: SlotQuery = query;
  if (specialistId != null) {
    const specialists = query.specialists.filter(({ id }) => id === specialistId);
    if (specialists.length === 0) return { ok: false, reason: 'specialist_unavailable' };
    asked = { ...query, specialists };
  }
  const start = startInstant(location.zone, day * DAY + minute);
  if (start === null) return { ok: false, reason: 'nonexistent_local_time' };
  const { earliest, latest } = bookableStarts(service, query.now);
  if (start < earliest) return { ok: false, reason: 'lead_time' };
  if (start > latest) return { ok: false, reason: 'max_advance' };
  if (minute % service.slotIntervalMinutes !== 0) return { ok: false, reason: 'outside_schedule' };
  const slot = slotOf(buildTimelines(asked, claimsBySpecialist(asked), day, day), asked, start);
  if (typeof slot === 'string') return { ok: false, reason: slot };
  const from = start - service.bufferBeforeMinutes;
  const to = slot.endsAt + service.bufferAfterMinutes;
  return { ok: true, slot: { ...slot, from, to } };
}

/** When a slot is, as the contract writes it (B1, B6). */
export interface SlotTimes {
  readonly date: string;
  readonly start_time: string;
  readonly end_time: string;
  readonly starts_at: string;
  readonly ends_at: string;
  readonly time_zone: string;
}

/** Dates, times and zone of a slot or booking at a location, from its two instants in epoch minutes (B1). */
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
