import { formatDay, formatInstant, parseDay } from '@/lib/platform/time-zones';
import type { Combination, NextSlot } from './list-days';
import { slotJson } from './slot-json';
import type { Slot } from './timeline';

/** Returns a combination with its days, as JSON (contract B17). `slots` has at most one slot per day. */
export function daysJson(
  combination: Combination,
  { date, dateTo }: { date: string; dateTo: string },
  slots: readonly Slot[],
): string {
  const { service, location } = combination;
  const byDate = new Map(slots.map((slot) => [formatInstant(location.zone, slot.startsAt).date, slot]));
  const days: string[] = [];
  for (let day = parseDay(date); day <= parseDay(dateTo); day += 1) {
    const text = formatDay(day);
    const slot = byDate.get(text);
    const first = slot ? slotJson(service, location, slot) : 'null';
    days.push(`{"date":"${text}","available":${slot !== undefined},"first_slot":${first}}`);
  }
  return `${headOf(combination)},"days":[${days.join(',')}],"next_slot":null,"searched_to":"${dateTo}","complete":true}`;
}

/** Returns a combination with its next free slot, as JSON (contract B17). */
export function nextJson(combination: Combination, { slot, searchedTo, complete }: NextSlot): string {
  const next = slot ? slotJson(combination.service, combination.location, slot) : 'null';
  return `${headOf(combination)},"days":[],"next_slot":${next},"searched_to":"${searchedTo}","complete":${complete}}`;
}

function headOf({ service, location }: Combination): string {
  return `{"service_id":"${service.id}","location_id":"${location.id}","time_zone":"${location.zone.name}"`;
}
