import type { z } from 'zod';
import { mayUseLocation, type Policy } from '@/lib/access/applications/policy';
import {
  type availabilityDaysQuery,
  idsOf,
  MAX_COMBINATIONS,
  MAX_SPECIALIST_DAYS,
} from '@/lib/contract/availability-days';
import { daysBetween } from '@/lib/contract/common';
import { invalidField, notFound } from '@/lib/contract/errors/app-error';
import type { Combination } from '../availability/list-days';
import { readableLocation } from '../catalog/resolve';
import type { Catalog } from '../catalog/snapshot';

type Query = z.output<typeof availabilityDaysQuery>;

type Ids = readonly string[];

/**
 * Finds the records of a query for days (step 8 of contract B2; contract B3, contract B17). Without `location_ids`, a service is
 * combined with the locations that offer it, otherwise with all that are named.
 * @throws AppError not_found; credential_restricted; invalid_request if the request is too large.
 */
export function resolveDays(catalog: Catalog, policy: Policy, query: Query): Combination[] {
  const serviceIds = idsOf(query.service_ids);
  const locationIds = query.location_ids === undefined ? undefined : idsOf(query.location_ids);
  const specialistIds = query.specialist_ids === undefined ? undefined : idsOf(query.specialist_ids);
  for (const id of locationIds ?? []) readableLocation(catalog, policy, id, 'location_ids');
  const offeredAt = readableServices(catalog, policy, serviceIds);
  for (const id of specialistIds ?? []) if (!catalog.specialists.get(id)?.published) throw notFound('specialist_ids');
  const wanted = specialistIds && new Set(specialistIds);
  const pairs = serviceIds.flatMap((service) =>
    (locationIds ?? offeredAt.get(service) ?? []).map((location) => [service, location] as const),
  );
  if (pairs.length > MAX_COMBINATIONS)
    throw invalidField('location_ids', `must make at most ${MAX_COMBINATIONS} combinations with service_ids`);
  const combinations = pairs.map(([serviceId, locationId]) => {
    const service = catalog.schedules.services.get(serviceId);
    const location = catalog.schedules.locations.get(locationId);
    if (!service || !location) throw notFound();
    const offering = catalog.schedules.offering(serviceId, locationId);
    return { service, location, specialists: wanted ? offering.filter(({ id }) => wanted.has(id)) : offering };
  });
  refuseTooMany(combinations, query);
  return combinations;
}

/** Returns the specialist days of a query: its days times the specialists of each combination (contract B9). */
export function specialistDays(combinations: readonly Combination[], { date, date_to }: Query): number {
  const specialists = combinations.reduce((sum, one) => sum + one.specialists.length, 0);
  return specialists * (daysBetween(date, date_to ?? date) + 1);
}

// A search for the next slot stops at the limit instead, but needs one day of each combination.
function refuseTooMany(combinations: readonly Combination[], query: Query): void {
  if (specialistDays(combinations, query) <= MAX_SPECIALIST_DAYS) return;
  const field = query.date_to === undefined ? 'service_ids' : 'date_to';
  throw invalidField(field, `must ask for at most ${MAX_SPECIALIST_DAYS} specialist days (days times specialists)`);
}

/** Returns the allowed, published locations that offer each service, ordered by id. In one pass, because offerings are many. */
function readableServices(catalog: Catalog, policy: Policy, serviceIds: Ids): ReadonlyMap<string, Ids> {
  const found = new Map(serviceIds.map((id) => [id, new Set<string>()]));
  for (const { serviceId, locationId } of catalog.offerings) found.get(serviceId)?.add(locationId);
  const readable = (id: string) => mayUseLocation(policy, id) && catalog.locations.get(id)?.published === true;
  const offered = new Map([...found].map(([id, locations]) => [id, [...locations].filter(readable).sort()]));
  for (const [id, locations] of offered)
    if (!catalog.services.get(id)?.published || locations.length === 0) throw notFound('service_ids');
  return offered;
}
