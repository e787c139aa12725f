import { hoursBetween } from '@/lib/booking/availability/input';
import { type Combination, nextSlot } from '@/lib/booking/availability/list-days';
import { type BusyReader, readSharedBusy } from '@/lib/booking/availability/shared-reads';
import { workingTime } from '@/lib/booking/availability/slots';
import { type Catalog, snapshotOf } from '@/lib/booking/catalog/snapshot';
import { readSlotsInTurn } from '@/lib/booking/read-turns';
import { DAY, formatInstant, parseDay } from '@/lib/platform/time-zones';

export const UNBOOKABLE_REASONS = [
  'unoffered',
  'no_opening_hours',
  'no_working_hours',
  'hours_too_short',
  'taken',
] as const;

type Reason = (typeof UNBOOKABLE_REASONS)[number];

/** Days that are searched, from the first day on which a service can be booked. */
const SEARCHED_DAYS = 14;
const MAX_LISTED = 20;
const MAX_SERVICES = 500;
/** Days times specialists whose claims are read. Beyond, a service with suitable hours counts as bookable. */
const MAX_READ_DAYS = 20_000;

const NEVER_BUSY: BusyReader = async () => ({ claims: [], blocks: [] });

/**
 * Returns the published services that nobody can book in the next 14 days, each with the reason. Hours are examined
 * before claims, because most services without times lack hours.
 * @throws AppError service_unavailable if the tenant no longer exists.
 */
export async function bookabilityOf(tenantId: string, now: Date) {
  const catalog = await snapshotOf(tenantId);
  const published = [...catalog.services.values()].filter((service) => service.published);
  const examined = published.slice(0, MAX_SERVICES);
  const places = placesOf(catalog);
  const unbookable: { id: string; name: string; reason: Reason }[] = [];
  const budget = { days: MAX_READ_DAYS };
  for (const service of examined) {
    const reason = await reasonOf(combinationsOf(catalog, places, service.id), { tenantId, now, budget });
    if (reason === null) continue;
    unbookable.push({ id: service.id, name: service.name[catalog.defaultLocale] ?? service.id, reason });
  }
  unbookable.sort((one, other) => (one.name < other.name ? -1 : 1));
  return {
    services: unbookable.slice(0, MAX_LISTED),
    total: unbookable.length,
    any_bookable: unbookable.length < examined.length,
  };
}

/** Returns the published locations where each service is offered. In one pass, because offerings are many. */
function placesOf(catalog: Catalog): ReadonlyMap<string, ReadonlySet<string>> {
  const places = new Map<string, Set<string>>();
  for (const { serviceId, locationId } of catalog.offerings) {
    if (!catalog.locations.get(locationId)?.published) continue;
    places.set(serviceId, (places.get(serviceId) ?? new Set()).add(locationId));
  }
  return places;
}

function combinationsOf(catalog: Catalog, places: ReturnType<typeof placesOf>, serviceId: string): Combination[] {
  const { services, locations, offering } = catalog.schedules;
  return [...(places.get(serviceId) ?? [])].flatMap((locationId) => {
    const [service, location] = [services.get(serviceId), locations.get(locationId)];
    const specialists = offering(serviceId, locationId);
    return service && location && specialists.length > 0 ? [{ service, location, specialists }] : [];
  });
}

type Search = { tenantId: string; now: Date; budget: { days: number } };

async function reasonOf(combinations: readonly Combination[], search: Search): Promise<Reason | null> {
  if (combinations.length === 0) return 'unoffered';
  const suitable: Combination[] = [];
  for (const one of combinations) if (await hasSlot(NEVER_BUSY, one, search.now)) suitable.push(one);
  if (suitable.length === 0) return missingHours(combinations, search.now);
  for (const one of suitable) {
    const days = SEARCHED_DAYS * one.specialists.length;
    search.budget.days -= days;
    if (search.budget.days < 0) return null;
    const reader = { tenantId: search.tenantId, applicationId: search.tenantId };
    if (await readSlotsInTurn(reader, days, () => hasSlot(readSharedBusy, one, search.now))) return null;
  }
  return 'taken';
}

async function hasSlot(read: BusyReader, one: Combination, now: Date): Promise<boolean> {
  const { date } = formatInstant(one.location.zone, Math.floor(now.getTime() / 60_000));
  const { slot } = await nextSlot(read, one, date, now, SEARCHED_DAYS * one.specialists.length);
  return slot !== null;
}

function missingHours(combinations: readonly Combination[], now: Date): Reason {
  const from = Math.floor(now.getTime() / 60_000);
  const range = { from, to: from + SEARCHED_DAYS * DAY };
  const isOpen = ({ location }: Combination) => {
    const first = parseDay(formatInstant(location.zone, from).date);
    return hoursBetween(location.hours, location.zone, first, first + SEARCHED_DAYS).length > 0;
  };
  const open = combinations.filter(isOpen);
  if (open.length === 0) return 'no_opening_hours';
  const isStaffed = ({ location, specialists }: Combination) =>
    specialists.some((specialist) =>
      workingTime(location, specialist, range).some((time) => time.to > range.from && time.from < range.to),
    );
  return open.some(isStaffed) ? 'hours_too_short' : 'no_working_hours';
}
