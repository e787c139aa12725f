import { notFound } from '@/lib/contract/errors/app-error';
import { listSlots } from '../../availability/list-slots';
import { readSharedClaims } from '../../availability/shared-reads';
import { type SlotRecord, slotRecord } from '../../availability/slot-json';
import { loadCatalog } from '../load';

/** On one day: one per minute. */
const MAX_SLOTS = 1_440;

/** On any date. */
export const BLOCKERS = ['service_unpublished', 'location_unpublished', 'not_offered'] as const;

type Query = { serviceId: string; locationId: string; date: string };

export type DayPreview = {
  time_zone: string;
  bookable_from: string;
  bookable_until: string;
  blockers: (typeof BLOCKERS)[number][];
  slots: SlotRecord[];
  /** Published, offering the service at the location, ordered by id. */
  specialists: { id: string; name: string }[];
};

/**
 * Returns the slots on a day as partners see them, or would see them after the publication of the service.
 * @throws AppError not_found.
 */
export async function previewDay(now: Date, tenantId: string, query: Query): Promise<DayPreview> {
  const { serviceId, locationId, date } = query;
  const catalog = await loadCatalog(tenantId);
  const service = catalog?.schedules.services.get(serviceId);
  const location = catalog?.schedules.locations.get(locationId);
  if (!catalog || !service || !location) throw notFound();
  const specialists = catalog.schedules.offering(serviceId, locationId);
  const asked = { service, location, specialists, date, dateTo: undefined, ownClaim: null, after: null };
  const { slots } = await listSlots(readSharedClaims, { ...asked, limit: MAX_SLOTS, now });
  const blocked: Record<(typeof BLOCKERS)[number], boolean> = {
    service_unpublished: !catalog.services.get(serviceId)?.published,
    location_unpublished: !catalog.locations.get(locationId)?.published,
    not_offered: specialists.length === 0,
  };
  const after = (minutes: number) => new Date(now.getTime() + minutes * 60_000).toISOString();
  return {
    time_zone: location.zone.name,
    bookable_from: after(service.minLeadMinutes),
    bookable_until: after(service.maxAdvanceDays * 1_440),
    blockers: BLOCKERS.filter((blocker) => blocked[blocker]),
    slots: slots.map((slot) => slotRecord(service, location, slot)),
    specialists: specialists.map(({ id }) => ({ id, name: catalog.specialists.get(id)?.displayName ?? '' })),
  };
}
