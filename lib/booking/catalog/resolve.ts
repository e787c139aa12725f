import { mayUseLocation, type Policy } from '@/lib/access/applications/policy';
import { AppError, notFound } from '@/lib/contract/errors/app-error';
import type { CatalogLocation, CatalogService } from './records';
import type { Catalog } from './snapshot';

/**
 * Returns a location that the policy allows, published or not. `field` is where the request names it.
 * @throws AppError not_found if it is unknown or of another tenant; credential_restricted (reason `location`) (contract B3).
 */
export function allowedLocation(
  catalog: Catalog,
  policy: Policy,
  locationId: string,
  field = 'location_id',
): CatalogLocation {
  const location = catalog.locations.get(locationId);
  if (!location) throw notFound(field);
  if (!mayUseLocation(policy, locationId)) throw new AppError('credential_restricted', { reason: 'location' });
  return location;
}

/**
 * Returns a location that the application can read.
 * @throws AppError not_found if it is unknown, unpublished, or of another tenant; credential_restricted (reason
 * `location`) if the policy does not allow it (contract B3).
 */
export function readableLocation(
  catalog: Catalog,
  policy: Policy,
  locationId: string,
  field = 'location_id',
): CatalogLocation {
  const location = allowedLocation(catalog, policy, locationId, field);
  if (!location.published) throw notFound(field);
  return location;
}

/** @throws AppError not_found if it is unknown, unpublished, or not offered at an allowed location (contract B3). */
export function readableService(catalog: Catalog, policy: Policy, serviceId: string): CatalogService {
  const service = catalog.services.get(serviceId);
  if (!service?.published) throw notFound('service_id');
  const offered = catalog.offerings.some(
    (offering) =>
      offering.serviceId === serviceId &&
      mayUseLocation(policy, offering.locationId) &&
      catalog.locations.get(offering.locationId)?.published,
  );
  if (!offered) throw notFound('service_id');
  return service;
}
