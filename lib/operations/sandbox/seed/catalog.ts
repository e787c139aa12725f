import { LOCATIONS } from '@/lib/booking/catalog/edit/location-kind';
import { SERVICES } from '@/lib/booking/catalog/edit/service-kind';
import { SPECIALISTS } from '@/lib/booking/catalog/edit/specialist-kind';
import { type CatalogDocument, documentSchema } from '@/lib/booking/catalog/transfer/document';
import { markChanged } from '@/lib/platform/cache/changes';
import type { Db } from '@/lib/platform/db';
import { TENANT } from './business';
import source from './catalog.json' with { type: 'json' };

const WEEK = 7 * 86_400_000;
/** The Monday to whose week the dates in catalog.json are relative. */
const MONDAY = Date.UTC(2024, 0, 1);
/** The members of a document that contain a date. */
const DATED = new Set(['date', 'from', 'to']);

/**
 * Returns the synthetic catalog of the sandbox. Its dates are in the weeks after `now`, on the weekdays of
 * catalog.json, so an exception always replaces the same weekly hours. Everything else is always the same.
 */
export function sandboxCatalog(now: Date): CatalogDocument {
  const moved = Math.floor((now.getTime() - MONDAY) / WEEK) * WEEK;
  const move = (key: string, value: unknown): unknown => {
    if (typeof value !== 'string' || !DATED.has(key)) return value;
    const [date = '', ...time] = value.split('T');
    return [new Date(Date.parse(date) + moved).toISOString().slice(0, 10), ...time].join('T');
  };
  return documentSchema(TENANT).parse(JSON.parse(JSON.stringify(source), move));
}

/**
 * Inserts the synthetic catalog of the sandbox in the caller's transaction. The tenant must exist and have no catalog.
 * The function inserts no rows into `application_locations`. The database deletes these rows when their locations are
 * deleted, so a caller that deletes locations must insert the rows again.
 */
export async function seedCatalog(tx: Db, now: Date): Promise<void> {
  const { locations, services, specialists } = sandboxCatalog(now);
  await LOCATIONS.insert(tx, TENANT.id, entriesOf(locations));
  await SERVICES.insert(tx, TENANT.id, entriesOf(services));
  await SPECIALISTS.insert(tx, TENANT.id, entriesOf(specialists));
  await markChanged(tx, 'catalog', TENANT.id);
}

function entriesOf<Doc extends { id: string }>(docs: readonly Doc[]) {
  return docs.map(({ id, ...doc }) => ({ id, doc }));
}
