import { createHash } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { type AllowedLocations, mayUseLocation } from '@/lib/access/applications/policy';
import type { PreparedLocation, PreparedService, PreparedSpecialist } from '../availability/input';
import type { Snapshot } from '../catalog/snapshot';
import { viewOf } from '../catalog/view';
import { combinationsOf, keyOf } from './affected';

/** What an application can read, as its policy and the catalog were when they had these versions, or later. */
export type Readable = {
  applicationId: string;
  allowed: AllowedLocations;
  catalogVersion: string | null;
  policyVersion: string | null;
  /** Null if the watch has been told of these versions. */
  compared: Compared | null;
};

export type Compared = { catalog: Buffer; schedules: ScheduleHashes };

/** By the allowed locations. A watch that waits is compared again and again. */
const KNOWN = new WeakMap<Snapshot, Map<string, Compared>>();

/** Returns what is compared for an application with these locations. Those with the same locations share it. */
export async function comparedOf(snapshot: Snapshot, allowed: AllowedLocations): Promise<Compared> {
  const known = KNOWN.get(snapshot) ?? new Map<string, Compared>();
  KNOWN.set(snapshot, known);
  const compared = known.get(allowed.locationKey) ?? {
    catalog: await catalogHash(snapshot, allowed),
    schedules: scheduleHashes(snapshot, allowed),
  };
  known.set(allowed.locationKey, compared);
  return compared;
}

/** More combinations have one hash together, under `ALL`. */
const MAX_COMBINATIONS = 2_000;
const ALL = '*';

/** Characters of the hash of a schedule, of 6 bits each. */
const HASH = 12;

/** Returns the SHA-256 of everything that an application can read in the catalog, in all languages. */
async function catalogHash(snapshot: Snapshot, allowed: AllowedLocations): Promise<Buffer> {
  const hash = createHash('sha256').update(JSON.stringify([snapshot.locales, snapshot.defaultLocale]));
  for (const locale of snapshot.locales) {
    // Other requests do not wait for all languages of a large catalog.
    await turn();
    const { services, locations, specialists } = viewOf(snapshot, allowed, locale);
    for (const { json } of [...services, ...locations.values()]) hash.update(json);
    for (const { json, offerings } of specialists)
      hash.update(json).update(
        offerings
          .map(({ serviceId, locationId }) => keyOf(serviceId, locationId))
          .sort()
          .join(),
      );
  }
  return hash.digest();
}

/** By service and location (`keyOf`). */
export type ScheduleHashes = Readonly<Record<string, string>>;

/**
 * Returns a hash of what the slots of each combination that the application can read depend on, besides bookings, blocks,
 * and time.
 */
function scheduleHashes(snapshot: Snapshot, allowed: AllowedLocations): ScheduleHashes {
  const { schedules } = snapshot;
  const specialists = new Map<PreparedSpecialist, string>();
  const ofSpecialist = (one: PreparedSpecialist) => {
    const known = specialists.get(one) ?? hashOf([one.id, hoursOf(one.hours), hoursOf(one.breaks), one.timeOff]);
    specialists.set(one, known);
    return known;
  };
  const locations = new Map<string, string>();
  const ofLocation = ({ id, zone, hours }: PreparedLocation) => {
    const known = locations.get(id) ?? hashOf([zone.name, zone.changes, hoursOf(hours)]);
    locations.set(id, known);
    return known;
  };
  const hashes = combinationsOf(snapshot).flatMap(([serviceId, locationId]): [string, string][] => {
    const location = mayUseLocation(allowed, locationId) && schedules.locations.get(locationId);
    if (!location) return [];
    const offering = schedules.offering(serviceId, locationId).map(ofSpecialist);
    const numbers = numbersOf(schedules.services.get(serviceId));
    return [[keyOf(serviceId, locationId), hashOf([numbers, ofLocation(location), offering])]];
  });
  const isLong = hashes.length > MAX_COMBINATIONS;
  return isLong ? { [ALL]: hashOf(hashes.map((pair) => pair.join()).sort()) } : Object.fromEntries(hashes);
}

/** Without texts and the price, which no slot depends on. */
function numbersOf(service: PreparedService | undefined): number[] {
  if (!service) return [];
  const { durationMinutes, slotIntervalMinutes, bufferBeforeMinutes, bufferAfterMinutes, capacity } = service;
  const { minLeadMinutes, maxAdvanceDays } = service;
  const times = [durationMinutes, slotIntervalMinutes, bufferBeforeMinutes, bufferAfterMinutes];
  return [...times, capacity, minLeadMinutes, maxAdvanceDays];
}

type Hours = PreparedLocation['hours'] | null;

// PostgreSQL returns rows in any order.
const hoursOf = (hours: Hours) =>
  hours && [hours.weekly, hours.dated].map((days) => [...days].sort(([a], [b]) => a - b));

function hashOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, HASH);
}

/** Returns the combinations whose schedules differ, or null if that is not known for each. */
export function changedSchedules(before: ScheduleHashes, after: ScheduleHashes): string[] | null {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (key) => before[key] !== after[key],
  );
  return keys.includes(ALL) ? null : keys;
}
