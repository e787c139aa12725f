import { LOCATIONS } from '@/lib/booking/catalog/edit/location-kind';
import { SERVICES } from '@/lib/booking/catalog/edit/service-kind';
import { SPECIALISTS } from '@/lib/booking/catalog/edit/specialist-kind';
import { type CatalogDocument, documentSchema } from '@/lib/booking/catalog/transfer/document';
import { markChanged } from '@/lib/platform/cache';
import type { Db } from '@/lib/platform/db';
import { TENANT } from './business';
import source from './catalog.json' with { type: 'json' };

const WEEK = 7 * 86_400_000;
/** The Monday to whose week the dates in catalog.json are relative. */
const MONDAY = Date.UTC(2024, 0, 1);
/** Members of a document that contain a date. */
const DATED = new Set(['date', 'from', 'to']);

/** Returns the synthetic catalog with dates after `now`, on the same weekdays, so exceptions match weekly hours. */
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
 * Inserts the synthetic catalog into a tenant without a catalog. A caller that has deleted locations must insert the
 * rows of `application_locations` again, because the database deletes them with the locations.
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
