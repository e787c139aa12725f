import { LRUCache } from 'lru-cache';
import { AppError } from '@/lib/contract/errors/app-error';
import { type Cache, createCache } from '@/lib/platform/cache/cache';
import { singleton } from '@/lib/platform/singleton';
import { type Catalog, loadCatalog } from './load';
import type { View } from './view-types';

/** Maximum number of tenants whose catalogs are kept in memory. */
export const MAX_TENANTS = 200;
/** Maximum number of cached views of one catalog. There is one view per language and set of allowed locations. */
const MAX_VIEWS = 100;
/**
 * Maximum bytes of all cached views of one catalog. The limit must exceed the size of the largest view. A view above
 * the limit would be built again for each request. A view of 150,000 offerings takes about 5 MB.
 */
const MAX_VIEW_BYTES = 256 * 1024 * 1024;

/** A tenant's catalog in memory, with its views. */
export type Snapshot = Catalog & { views: LRUCache<string, View> };

/** Returns the approximate size of a view in bytes. Does not count the cached `pages`. */
function sizeOf({ services, specialists }: View): number {
  const lists = [
    ...services.map(({ json, locationIds }) => json.length + 8 * locationIds.length),
    ...specialists.map(({ json, offerings }) => json.length + 8 * offerings.length),
  ];
  return lists.reduce((sum, bytes) => sum + bytes, 1_000);
}

function snapshots(): Cache<Snapshot> {
  return singleton('cache:catalog', () =>
    createCache<Snapshot>({
      topic: 'catalog',
      max: MAX_TENANTS,
      load: async (tenantId) => {
        const catalog = await loadCatalog(tenantId);
        return (
          catalog && {
            ...catalog,
            views: new LRUCache({ max: MAX_VIEWS, maxSize: MAX_VIEW_BYTES, sizeCalculation: sizeOf }),
          }
        );
      },
      recordOf: (snapshot) => snapshot.tenantId,
    }),
  );
}

/**
 * Returns the tenant's catalog. Uses the copy in memory if this copy is known to be up to date (architecture 6).
 * @throws AppError service_unavailable if the tenant no longer exists.
 */
export async function snapshotOf(tenantId: string): Promise<Snapshot> {
  const snapshot = await snapshots().get(tenantId);
  if (!snapshot) throw new AppError('service_unavailable');
  return snapshot;
}
