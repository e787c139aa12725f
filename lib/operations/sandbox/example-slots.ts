import { listSlots } from '@/lib/booking/availability/list-slots';
import { readSharedBusy } from '@/lib/booking/availability/shared-reads';
import { type SlotRecord, slotRecord } from '@/lib/booking/availability/slot-json';
import type { Snapshot } from '@/lib/booking/catalog/snapshot';

const DAY = 86_400_000;
/** Days of a search for slots. */
export const DAYS = 7;
const MAX_SLOTS = 8;
/** Places that are tried until one has slots. */
const MAX_PLACES = 20;

export type Place = { serviceId: string; locationId: string; specialistId: string };

const dayAfter = (now: Date, days: number) => new Date(now.getTime() + days * DAY).toISOString().slice(0, 10);

/** Returns the first free slots of a service at a location, within a week. */
export async function slotsOf(
  now: Date,
  { schedules }: Snapshot,
  { serviceId, locationId }: Pick<Place, 'serviceId' | 'locationId'>,
  firstDay: number,
): Promise<SlotRecord[]> {
  const [service, location] = [schedules.services.get(serviceId), schedules.locations.get(locationId)];
  if (!service || !location) return [];
  const { slots } = await listSlots(readSharedBusy, {
    service,
    location,
    specialists: schedules.offering(serviceId, locationId),
    date: dayAfter(now, firstDay),
    dateTo: dayAfter(now, firstDay + DAYS),
    ownClaim: null,
    after: null,
    limit: MAX_SLOTS,
    now,
  });
  return slots.map((slot) => slotRecord(service, location, slot));
}

/** Returns published services with a published location that offers them, first those with only one location. */
export function placesOf(snapshot: Snapshot): Place[] {
  const places = snapshot.offerings.filter(
    ({ serviceId, locationId }) =>
      snapshot.services.get(serviceId)?.published && snapshot.locations.get(locationId)?.published,
  );
  const distinct = [...new Map(places.map((place) => [`${place.serviceId} ${place.locationId}`, place])).values()];
  // The example of a service with one location needs no optional parameter.
  const countOf = (serviceId: string) => distinct.filter((place) => place.serviceId === serviceId).length;
  const sorted = [
    ...distinct.filter(({ serviceId }) => countOf(serviceId) === 1),
    ...distinct.filter(({ serviceId }) => countOf(serviceId) > 1),
  ];
  return sorted.slice(0, MAX_PLACES);
}
