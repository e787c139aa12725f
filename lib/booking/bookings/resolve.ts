import { mayUseLocation, type Policy } from '@/lib/access/applications/policy';
import { AppError, invalidBecause, notFound } from '@/lib/contract/errors/app-error';
import type { ReasonOf } from '@/lib/contract/errors/reasons';
import type { PreparedLocation, PreparedService, PreparedSpecialist } from '../availability';
import type { Catalog } from '../catalog/load';

/** What the catalog contains for a booking. */
export type Offer = {
  published: boolean;
  service: PreparedService;
  location: PreparedLocation;
  cancellationCutoffMinutes: number;
  /** Of a seat. Null if the service has no price. */
  price: { amount: number; currency: string } | null;
  /** Published, offering the service at the location, ordered by id. */
  specialists: readonly PreparedSpecialist[];
};

type Request = { serviceId: string; locationId: string | undefined; specialistId: string | undefined };

/** Returns the refusal `booking_unavailable` with its reason (contract B3). */
export function unavailable(reason: ReasonOf<'booking_unavailable'>): AppError {
  return new AppError('booking_unavailable', { reason });
}

/**
 * Finds the records for a new booking (step 8 of contract B2; contract B3).
 * @throws AppError not_found if a record does not exist, or if the service is not offered at any location that the
 * policy allows; credential_restricted for the requested location; invalid_request as in `onlyLocation`.
 */
export function resolveOffer(
  catalog: Catalog,
  policy: Policy,
  { serviceId, locationId, specialistId }: Request,
): Offer {
  if (locationId !== undefined) checkLocation(catalog, policy, locationId);
  const service = catalog.services.get(serviceId);
  const offeredAt = allowedLocations(catalog, policy, serviceId);
  if (!service || offeredAt.length === 0) throw notFound('service_id');
  if (specialistId !== undefined && !catalog.specialists.has(specialistId)) throw notFound('specialist_id');
  const chosen = locationId ?? onlyLocation(catalog, offeredAt);
  return { published: service.published, ...offerAt(catalog, serviceId, chosen) };
}

/**
 * Returns the offer for a reschedule: the booking's service and location as they are in the catalog now.
 * @throws AppError booking_unavailable (reason `service_unpublished`) without the service; not_found without the
 * location.
 */
export function resolveReschedule(catalog: Catalog, serviceId: string, locationId: string): Offer {
  const service = catalog.services.get(serviceId);
  if (!service) throw unavailable('service_unpublished');
  return { published: service.published, ...offerAt(catalog, serviceId, locationId) };
}

function offerAt(catalog: Catalog, serviceId: string, locationId: string): Omit<Offer, 'published'> {
  const service = catalog.schedules.services.get(serviceId);
  const location = catalog.schedules.locations.get(locationId);
  const record = catalog.services.get(serviceId);
  if (!service || !location || !record) throw notFound();
  const specialists = catalog.schedules.offering(serviceId, locationId);
  const { cancellationCutoffMinutes, priceAmount: amount, priceCurrency: currency } = record;
  const price = amount === null || currency === null ? null : { amount, currency };
  return { service, location, specialists, cancellationCutoffMinutes, price };
}

function checkLocation(catalog: Catalog, policy: Policy, locationId: string): void {
  if (!catalog.locations.has(locationId)) throw notFound('location_id');
  if (!mayUseLocation(policy, locationId)) throw new AppError('credential_restricted', { reason: 'location' });
}

function allowedLocations(catalog: Catalog, policy: Policy, serviceId: string): string[] {
  const offered = catalog.offerings.filter(
    (offering) => offering.serviceId === serviceId && mayUseLocation(policy, offering.locationId),
  );
  return [...new Set(offered.map((offering) => offering.locationId))];
}

/**
 * Returns the location for a request without `location_id` (contract B6): the only published one or, without any, the
 * only one in `offeredAt`.
 * @throws AppError invalid_request (reason `location_required`) unless there is exactly one such location.
 */
export function onlyLocation(catalog: Catalog, offeredAt: readonly string[]): string {
  const published = offeredAt.filter((id) => catalog.locations.get(id)?.published);
  const [only, ...others] = published.length > 0 ? published : offeredAt;
  if (only === undefined || others.length > 0) {
    throw invalidBecause('location_required');
  }
  return only;
}
