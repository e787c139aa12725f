import type { Policy } from '@/lib/access/applications/policy';
import { jsonArray } from './json';
import { pageOf } from './page';
import { readableLocation, readableService } from './resolve';
import type { Snapshot } from './snapshot';
import { viewOf } from './view';

type Question = {
  serviceId: string | null;
  locationId: string | null;
  locale: string;
  limit: number;
  after: string | null;
};

/**
 * Returns a page of the specialists that the application may see, as pieces of JSON; with both filters one offering matches
 * both (contract B5).
 * @throws AppError not_found or credential_restricted for a filter that names nothing the application may read.
 */
export function listSpecialists(
  snapshot: Snapshot,
  policy: Policy,
  question: Question,
): { specialists: Buffer[]; last: string | null } {
  const { serviceId, locationId, locale, limit, after } = question;
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
  return { specialists: jsonArray(records.map(({ json }) => json)), last };
}
