import { LRUCache } from 'lru-cache';
import type { z } from 'zod';
import type { slot as slotSchema } from '@/lib/contract/availability';
import { formatSlotTimes, type PreparedLocation, type PreparedService, type Slot } from './index';

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

/**
 * Returns the JSON of `slotRecord`. The part that bookings do not change is cached: formatting takes as long as
 * computing, and partners query the same few days repeatedly.
 */
export function slotJson(service: PreparedService, location: PreparedLocation, slot: Slot): string {
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
