import { setImmediate as turn } from 'node:timers/promises';
import { boundaryInstant, formatInstant, parseDay } from '@/lib/platform/time-zones';
import type { Interval, PreparedSpecialist } from '../availability/input';
import { openTime, workingTime } from '../availability/slots';
import type { Snapshot } from '../catalog/snapshot';

/** A changed claim or block: minutes since 1970-01-01, of local time if it is a block. */
export type SlotChange = Interval & {
  /** A specialist, a location, or the tenant. */
  subjectId: string;
  local: boolean;
};

/** By service and location (`keyOf`): the local days on which a slot of anyone can have changed. */
export type Affected = ReadonlyMap<string, ReadonlySet<number>>;

/** Days of all combinations together. More would occupy the process for too long. */
const MAX_DAYS = 100_000;
/** Visits of a subject's locations, for all changes together. */
const MAX_PLACES = 20_000;
/** Visits before other work gets a turn: about 5 ms of processor time. */
const PLACES_PER_TURN = 200;

export const keyOf = (serviceId: string, locationId: string) => `${serviceId} ${locationId}`;

/** `specialist` is null for all who work at the location. */
type Place = { locationId: string; readonly serviceIds: Set<string>; specialist: PreparedSpecialist | null };

/** By specialist, location, and tenant. */
type Places = ReadonlyMap<string, readonly Place[]>;

const KNOWN = new WeakMap<Snapshot, Places>();

/** Returns where the time of each subject is sold: published services at published locations. */
function placesOf(snapshot: Snapshot): Places {
  const known = KNOWN.get(snapshot);
  if (known) return known;
  const { tenantId, schedules } = snapshot;
  const found = new Map<string, Map<string, Place>>();
  const add = (subjectId: string, locationId: string, serviceId: string, specialist: PreparedSpecialist | null) => {
    const places = found.get(subjectId) ?? new Map<string, Place>();
    const place = places.get(locationId) ?? { locationId, serviceIds: new Set(), specialist };
    place.serviceIds.add(serviceId);
    found.set(subjectId, places.set(locationId, place));
  };
  for (const [serviceId, locationId] of combinationsOf(snapshot)) {
    for (const specialist of schedules.offering(serviceId, locationId))
      add(specialist.id, locationId, serviceId, specialist);
    for (const subjectId of [locationId, tenantId]) add(subjectId, locationId, serviceId, null);
  }
  const places = new Map([...found].map(([subjectId, list]) => [subjectId, [...list.values()]]));
  KNOWN.set(snapshot, places);
  return places;
}

/** Returns the pairs of a published service and a published location that offers it, without repeats. */
export function combinationsOf({ offerings, services, locations }: Snapshot): [string, string][] {
  const pairs = new Map<string, [string, string]>();
  for (const { serviceId, locationId } of offerings)
    if (services.get(serviceId)?.published && locations.get(locationId)?.published)
      pairs.set(keyOf(serviceId, locationId), [serviceId, locationId]);
  return [...pairs.values()];
}

/**
 * Returns the days of each combination whose starts the changes can have opened or closed, by the rules of contract B6:
 * the padded range of an appointment in the working hours overlaps the change. Returns null if there are too many.
 */
export async function affectedBy(snapshot: Snapshot, changes: readonly SlotChange[]): Promise<Affected | null> {
  const places = placesOf(snapshot);
  const affected = new Map<string, Set<number>>();
  let [count, visited] = [0, 0];
  for (const change of changes) {
    for (const place of places.get(change.subjectId) ?? []) {
      visited += 1;
      if (visited % PLACES_PER_TURN === 0) await turn();
      for (const { key, from, to } of daysAt(snapshot, change, place)) {
        const days = affected.get(key) ?? new Set<number>();
        affected.set(key, days);
        for (let day = from; day <= to; day += 1) days.add(day);
        count += to - from + 1;
      }
      if (count > MAX_DAYS || visited > MAX_PLACES) return null;
    }
  }
  return affected;
}

function daysAt(
  { schedules }: Snapshot,
  { local, from, to }: SlotChange,
  { locationId, serviceIds, specialist }: Place,
) {
  const location = schedules.locations.get(locationId);
  if (!location) return [];
  const { zone } = location;
  const changed = local ? { from: boundaryInstant(zone, from), to: boundaryInstant(zone, to) } : { from, to };
  const services = [...serviceIds].flatMap((id) => schedules.services.get(id) ?? []);
  const pads = services.map((one) => one.durationMinutes + one.bufferAfterMinutes + one.bufferBeforeMinutes);
  const pad = pads.reduce((a, b) => Math.max(a, b), 0);
  const range = { from: changed.from - pad, to: changed.to + pad };
  const hours = specialist ? workingTime(location, specialist, range) : openTime(location, range);
  const dayOf = (instant: number) => parseDay(formatInstant(zone, instant).date);
  return services.flatMap((service) => {
    const first = changed.from - service.durationMinutes - service.bufferAfterMinutes + 1;
    const last = changed.to + service.bufferBeforeMinutes - 1;
    return hours.flatMap((open) => {
      const earliest = Math.max(open.from, first);
      const latest = Math.min(open.to - service.durationMinutes, last);
      const key = keyOf(service.id, locationId);
      return earliest <= latest ? [{ key, from: dayOf(earliest), to: dayOf(latest) }] : [];
    });
  });
}
