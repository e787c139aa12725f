import { LRUCache } from 'lru-cache';
import type { z } from 'zod';
import type { slot as slotSchema } from '@/lib/contract/availability';
import { formatDay, formatInstant, parseDay } from '@/lib/platform/time-zones';
import type { PreparedLocation, PreparedService } from './input';
import type { Combination, NextSlot } from './list-days';
import { formatSlotTimes, type Slot } from './slots';

export type SlotRecord = z.output<typeof slotSchema>;

/** Of one service at one location. Each takes about 300 bytes. */
const MAX_STARTS = 3_000;

/** Slots by start, without the closing brace and the last two members, which depend on claims. */
type Prefixes = LRUCache<number, string>;

// Garbage-collected with the catalog snapshot.
const cache = new WeakMap<PreparedService, WeakMap<PreparedLocation, Prefixes>>();

function prefixesOf(service: PreparedService, location: PreparedLocation): Prefixes {
  const atLocations = cache.get(service) ?? new WeakMap<PreparedLocation, Prefixes>();
  cache.set(service, atLocations);
  const prefixes = atLocations.get(location) ?? new LRUCache<number, string>({ max: MAX_STARTS });
  atLocations.set(location, prefixes);
  return prefixes;
}

/** Returns a slot as partners see it (contract B6). */
export function slotRecord(service: PreparedService, location: PreparedLocation, slot: Slot): SlotRecord {
  return {
    ...formatSlotTimes(location, slot),
    service_id: service.id,
    location_id: location.id,
    available_capacity: slot.availableCapacity,
    specialist_ids: slot.specialists.map(({ specialistId }) => specialistId),
  };
}

/** Returns slots as a JSON array of `slotRecord`. */
export function slotsJson(service: PreparedService, location: PreparedLocation, slots: readonly Slot[]): string {
  return `[${slots.map((slot) => slotJson(service, location, slot)).join(',')}]`;
}

/** Cached without what bookings change: formatting takes as long as computing, and partners repeat queries of the same days. */
function slotJson(service: PreparedService, location: PreparedLocation, slot: Slot): string {
  const prefixes = prefixesOf(service, location);
  let prefix = prefixes.get(slot.startsAt);
  if (prefix === undefined) {
    const { available_capacity: _, specialist_ids: __, ...constant } = slotRecord(service, location, slot);
    prefix = JSON.stringify(constant).slice(0, -1);
    prefixes.set(slot.startsAt, prefix);
  }
  const ids = slot.specialists.map(({ specialistId }) => specialistId).join('","');
  return `${prefix},"available_capacity":${slot.availableCapacity},"specialist_ids":["${ids}"]}`;
}

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
