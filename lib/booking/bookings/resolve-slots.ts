import type { z } from 'zod';
import { mayUseLocation, type Policy } from '@/lib/access/applications/policy';
import type { availabilityQuery } from '@/lib/contract/availability';
import { invalidField, notFound } from '@/lib/contract/errors/app-error';
import type { ListSlotsQuery as SlotsQuery } from '../availability/list-slots';
import { readableLocation, readableService } from '../catalog/resolve';
import type { Catalog } from '../catalog/snapshot';
import { findBooking } from './find';
import { onlyLocation } from './resolve';

type Query = z.output<typeof availabilityQuery>;

type ResolvedQuery = Omit<SlotsQuery, 'after' | 'limit' | 'now'>;

/**
 * Finds the records of an availability query (step 8 of contract B2; contract B3, contract B6).
 * @throws AppError not_found; credential_restricted; invalid_request if `location_id` is required, or if the booking of
 * `exclude_reference` is for another service or location.
 */
export async function resolveSlots(catalog: Catalog, policy: Policy, query: Query): Promise<ResolvedQuery> {
  const { service_id: serviceId, specialist_id: specialistId } = query;
  if (query.location_id !== undefined) readableLocation(catalog, policy, query.location_id);
  readableService(catalog, policy, serviceId);
  if (specialistId !== undefined && !catalog.specialists.get(specialistId)?.published) throw notFound('specialist_id');
  const locationId = query.location_id ?? onlyLocation(catalog, readableLocations(catalog, policy, serviceId));
  const service = catalog.schedules.services.get(serviceId);
  const location = catalog.schedules.locations.get(locationId);
  if (!service || !location) throw notFound();
  const offering = catalog.schedules.offering(serviceId, locationId);
  const specialists = specialistId === undefined ? offering : offering.filter(({ id }) => id === specialistId);
  const ownClaim = await excludedClaim(policy, query, serviceId, locationId);
  return { service, location, specialists, date: query.date, dateTo: query.date_to, ownClaim };
}

function readableLocations(catalog: Catalog, policy: Policy, serviceId: string): string[] {
  const ids = catalog.offerings.flatMap((offering) => (offering.serviceId === serviceId ? [offering.locationId] : []));
  return [...new Set(ids)].filter((id) => mayUseLocation(policy, id) && catalog.locations.get(id)?.published);
}

/** The engine counts the seat of this booking as free (contract B6). Null also for a booking that is not confirmed. */
async function excludedClaim(
  policy: Policy,
  query: Query,
  serviceId: string,
  locationId: string,
): Promise<string | null> {
  if (query.exclude_reference === undefined) return null;
  const booking = await findBooking(policy, query.exclude_reference, 'exclude_reference');
  if (booking.service_id !== serviceId || booking.location_id !== locationId) {
    throw invalidField('exclude_reference', 'must be a booking of this service and location');
  }
  return booking.status === 'confirmed' ? booking.claim_id : null;
}
