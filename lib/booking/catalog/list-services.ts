import type { Policy } from '@/lib/access/applications/policy';
import { jsonArray } from './json';
import { pageOf } from './page';
import type { Snapshot } from './snapshot';
import { viewOf } from './view';

type Query = { locale: string; limit: number; after: string | null };

/** A page of the catalog as pieces of JSON; `last` is the id of its last service, null on the last page. */
export type ServicesPage = { services: Buffer[]; locations: Buffer[]; last: string | null };

/** Returns a page of the services visible to the application, and their locations (contract B4). */
export function listServices(snapshot: Snapshot, policy: Policy, { locale, limit, after }: Query): ServicesPage {
  const view = viewOf(snapshot, policy, locale);
  const { records, last } = pageOf(view.services, after, limit);
  const referred = new Set<string>();
  for (const { locationIds } of records) for (const id of locationIds) referred.add(id);
  const locations = [...view.locations].flatMap(([id, json]) => (referred.has(id) ? [json] : []));
  return { services: jsonArray(records.map(({ json }) => json)), locations: jsonArray(locations), last };
}
