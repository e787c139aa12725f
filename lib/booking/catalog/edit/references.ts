import type { Db } from '@/lib/platform/db';
import { isId } from '@/lib/platform/ids';
import type { Entry, Issue } from './kind';
import type { SpecialistDoc } from './schemas';

/**
 * Specialist × service × location, per tenant, because the catalog is kept in memory. 600 specialists, each with 120
 * services at two locations, have 144,000.
 */
export const MAX_OFFERINGS = 150_000;

export const TOO_MANY_OFFERINGS = `would exceed the limit of ${MAX_OFFERINGS} offerings`;

/** Whether a location or service with this id exists. */
export type Known = { location: (id: string) => boolean; service: (id: string) => boolean };

/** Returns an issue for each unknown location and service in a specialist's workplaces. */
function referenceIssues({ workplaces }: SpecialistDoc, known: Known): Issue[] {
  return workplaces.flatMap(({ location_id: locationId, service_ids: serviceIds }, index) => {
    const path = ['workplaces', index];
    const location = known.location(locationId)
      ? []
      : [{ path: [...path, 'location_id'], message: 'must be a location in this catalog' }];
    const services = serviceIds.flatMap((id, at) =>
      known.service(id) ? [] : [{ path: [...path, 'service_ids', at], message: 'must be a service in this catalog' }],
    );
    return [...location, ...services];
  });
}

/** Returns the number of a specialist's offerings. */
function offeringsOf({ workplaces }: SpecialistDoc): number {
  return workplaces.reduce((sum, place) => sum + place.service_ids.length, 0);
}

/** Returns the issues of a specialist's workplaces: unknown locations and services, and too many offerings. */
export async function checkReferences(
  tx: Db,
  tenantId: string,
  { id: specialistId, doc }: Entry<SpecialistDoc>,
): Promise<Issue[]> {
  const select = { id: true };
  const services = doc.workplaces.flatMap((place) => place.service_ids).filter((id) => isId('svc', id));
  const locations = doc.workplaces.map((place) => place.location_id).filter((id) => isId('loc', id));
  const found = [
    ...(await tx.service.findMany({ where: { tenantId, id: { in: services } }, select })),
    ...(await tx.location.findMany({ where: { tenantId, id: { in: locations } }, select })),
  ];
  const ids = new Set(found.map(({ id }) => id));
  const known = (id: string) => ids.has(id);
  const others = await tx.offering.count({ where: { tenantId, specialistId: { not: specialistId } } });
  const tooMany = others + offeringsOf(doc) > MAX_OFFERINGS;
  return [
    ...referenceIssues(doc, { location: known, service: known }),
    ...(tooMany ? [{ path: ['workplaces'], message: TOO_MANY_OFFERINGS }] : []),
  ];
}
