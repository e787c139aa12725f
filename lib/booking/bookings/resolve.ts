import { mayUseLocation, type Policy } from '@/lib/access/applications/policy';
import { AppError, invalidBecause, notFound } from '@/lib/contract/errors/app-error';
import type { ReasonOf } from '@/lib/contract/errors/reasons';
import type { PreparedLocation, PreparedService, PreparedSpecialist } from '../availability';
import type { Catalog } from '../catalog/load';

/** What was asked to be booked, found in the catalog. */
export type Offer = {
  published: boolean;
  service: PreparedService;
  location: PreparedLocation;
  cancellationCutoffMinutes: number;
  /** Published specialists who offer the service at the location, in the order of ids. */
  specialists: readonly PreparedSpecialist[];
};

type Asked = { serviceId: string; locationId: string | undefined; specialistId: string | undefined };

/** Returns the refusal of a booking with its reason (contract B3). */
export function unavailable(reason: ReasonOf<'booking_unavailable'>): AppError {
  return new AppError('booking_unavailable', { reason });
}

/**
 * Step 8 of a create (contract B2, B3): returns what is to be booked.
 * @throws AppError not_found for what is not the tenant's or offered at no allowed location; credential_restricted for
 *   a location outside the policy; invalid_request `location_required`.
 */
export function resolveOffer(catalog: Catalog, policy: Policy, { serviceId, locationId, specialistId }: Asked): Offer {
  if (locationId !== undefined) checkLocation(catalog, policy, locationId);
  const service = catalog.services.get(serviceId);
  const offeredAt = allowedLocations(catalog, policy, serviceId);
  if (!service || offeredAt.length === 0) throw notFound();
  if (specialistId !== undefined && !catalog.specialists.has(specialistId)) throw notFound();
  const chosen = locationId ?? onlyLocation(catalog, offeredAt);
  return { published: service.published, ...offerAt(catalog, serviceId, chosen) };
}

/**
 * Returns what a booking would be rescheduled to: its own service and location, as they are now.
 * @throws AppError booking_unavailable when the service is gone.
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
  return { service, location, specialists, cancellationCutoffMinutes: record.cancellationCutoffMinutes };
}

function checkLocation(catalog: Catalog, policy: Policy, locationId: string): void {
  if (!catalog.locations.has(locationId)) throw notFound();
  if (!mayUseLocation(policy, locationId)) throw new AppError('credential_restricted', { reason: 'location' });
}

function allowedLocations(catalog: Catalog, policy: Policy, serviceId: string): string[] {
  const offered = catalog.offerings.filter(
    (offering) => offering.serviceId === serviceId && mayUseLocation(policy, offering.locationId),
  );
  return [...new Set(offered.map((offering) => offering.locationId))];
}

/** Without a location: the one allowed location at which the service is offered (contract B6). */
export function onlyLocation(catalog: Catalog, offeredAt: readonly string[]): string {
  const published = offeredAt.filter((id) => catalog.locations.get(id)?.published);
  const [only, ...others] = published.length > 0 ? published : offeredAt;
  if (only === undefined || others.length > 0) {
    throw invalidBecause('location_required');
  }
  return only;
}
