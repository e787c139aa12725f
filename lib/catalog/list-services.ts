import { pageOf } from './page';
import type { Snapshot } from './snapshot';
import { viewOf } from './view';
import type { Policy } from '../applications/policy';

type Question = { locale: string; limit: number; after: string | null };

/** A page of the catalogue as JSON; `last` is the id to go on after, null on the last page. */
export type ServicesPage = { services: string; locations: string; last: string | null };

/** Returns a page of the services that the application may see, and the locations they refer to (contract B4). */
export function listServices(snapshot: Snapshot, policy: Policy, { locale, limit, after }: Question): ServicesPage {
  const view = viewOf(snapshot, policy, locale);
  const { records, last } = pageOf(view.services, after, limit);
  const referred = new Set<string>();
  let services = '';
  for (const { json, locationIds } of records) {
    services += services === '' ? json : `,${json}`;
    for (const id of locationIds) referred.add(id);
  }
  let locations = '';
  for (const [id, json] of view.locations) {
    if (referred.has(id)) locations += locations === '' ? json : `,${json}`;
  }
  return { services: `[${services}]`, locations: `[${locations}]`, last };
}
