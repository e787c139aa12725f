import type { Policy } from '@/lib/access/applications/policy';
import { jsonArray } from './json';
import { pageOf } from './page';
import { readableLocation, readableService } from './resolve';
import type { Snapshot } from './snapshot';
import { languagesOf, viewOf } from './view';

type Query = {
  serviceId: string | null;
  locationId: string | null;
  locale: string;
  limit: number;
  after: string | null;
};

/**
 * Returns a page of the visible specialists, as pieces of JSON, and the Content-Language. With a service and a
 * location, they must offer it there (contract B5).
 * @throws AppError not_found or credential_restricted if a filter names a record that the application cannot read.
 */
export function listSpecialists(
  snapshot: Snapshot,
  policy: Policy,
  query: Query,
): { specialists: Buffer[]; last: string | null; languages: string } {
  const { serviceId, locationId, locale, limit, after } = query;
  if (locationId !== null) readableLocation(snapshot, policy, locationId);
  if (serviceId !== null) readableService(snapshot, policy, serviceId);
  const { specialists } = viewOf(snapshot, policy, locale);
  const matching = specialists.filter(({ offerings }) =>
    offerings.some(
      (offering) =>
        (serviceId === null || offering.serviceId === serviceId) &&
        (locationId === null || offering.locationId === locationId),
    ),
  );
  const { records, last } = pageOf(matching, after, limit);
  return { specialists: jsonArray(records.map(({ json }) => json)), last, languages: languagesOf(records, locale) };
}
