import { LRUCache } from 'lru-cache';
import type { z } from 'zod';
import type { slot as slotSchema } from '@/lib/contract/availability';
import { formatSlotTimes, type PreparedLocation, type PreparedService, type Slot } from './index';

type SlotRecord = z.output<typeof slotSchema>;

/** Starts of one service at one location that are remembered; one is about 300 bytes. */
const MAX_STARTS = 3_000;

/** What never changes about a start while the catalog stays: dates, times and ids, as the beginning of its JSON. */
type Beginnings = LRUCache<number, string>;

// Goes with the prepared catalog that it was made from.
const remembered = new WeakMap<PreparedService, WeakMap<PreparedLocation, Beginnings>>();

function beginningsOf(service: PreparedService, location: PreparedLocation): Beginnings {
  const atLocations = remembered.get(service) ?? new WeakMap<PreparedLocation, Beginnings>();
  remembered.set(service, atLocations);
  const known = atLocations.get(location) ?? new LRUCache<number, string>({ max: MAX_STARTS });
  atLocations.set(location, known);
  return known;
}

/**
 * Returns a slot of contract B6 as JSON. To write its times anew costs as much as to find it, and every partner asks
 * about the same few days.
 */
export function slotsJson(service: PreparedService, location: PreparedLocation, slots: readonly Slot[]): string {
  const beginnings = beginningsOf(service, location);
  const one = (slot: Slot) => {
    let beginning = beginnings.get(slot.startsAt);
    if (beginning === undefined) {
      beginning = beginningOf(service, location, slot);
      beginnings.set(slot.startsAt, beginning);
    }
    const ids = slot.specialists.map(({ specialistId }) => specialistId).join('","');
    return `${beginning},"available_capacity":${slot.availableCapacity},"specialist_ids":["${ids}"]}`;
  };
  return `[${slots.map(one).join(',')}]`;
}

/** Everything but the closing brace, so that the rest can follow. */
function beginningOf(service: PreparedService, location: PreparedLocation, slot: Slot): string {
  const constant: Omit<SlotRecord, 'available_capacity' | 'specialist_ids'> = {
    ...formatSlotTimes(location, slot),
    service_id: service.id,
    location_id: location.id,
  };
  return JSON.stringify(constant).slice(0, -1);
}
