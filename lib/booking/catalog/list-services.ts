import { createHash } from 'node:crypto';
import type { Policy } from '@/lib/access/applications/policy';
import { jsonArray } from './json';
import { pageOf } from './page';
import type { Snapshot } from './snapshot';
import { languagesOf, viewOf } from './view';
import type { ServicesPage, View } from './view-types';

type Query = { locale: string; limit: number; after: string | null };

/**
 * Returns a page of the visible services with their locations, the first page with all visible locations (contract B4):
 * a JSON object without the outer braces.
 * The view caches the most recently used pages.
 */
export function listServices(snapshot: Snapshot, policy: Policy, { locale, limit, after }: Query): ServicesPage {
  const view = viewOf(snapshot, policy, locale);
  const key = `${limit} ${after}`;
  const cached = view.pages.get(key);
  if (cached) return cached;
  const page = buildPage(view, { locale, limit, after });
  view.pages.set(key, page);
  return page;
}

function buildPage(view: View, { locale, limit, after }: Query): ServicesPage {
  const { records, last } = pageOf(view.services, after, limit);
  const referred = new Set<string>();
  for (const { locationIds } of records) for (const id of locationIds) referred.add(id);
  const locations = [...view.locations].flatMap(([id, location]) =>
    after === null || referred.has(id) ? [location] : [],
  );
  const services = jsonArray(records.map(({ json }) => json));
  const pieces = [
    Buffer.from('"services":'),
    ...services,
    Buffer.from(',"locations":'),
    ...jsonArray(locations.map(({ json }) => json)),
  ];
  const json = Buffer.concat(pieces);
  const digest = createHash('sha256').update(json).update(`${last}`).digest();
  return { json, digest, last, languages: languagesOf([...records, ...locations], locale) };
}
