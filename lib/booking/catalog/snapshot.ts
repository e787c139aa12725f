import { LRUCache } from 'lru-cache';
import { AppError } from '@/lib/contract/errors/app-error';
import { type Cache, createCache } from '@/lib/platform/cache/cache';
import { singleton } from '@/lib/platform/singleton';
import { type Catalog, loadCatalog } from './load';
import type { View } from './view-types';

export const MAX_TENANTS = 200;
/** Of one catalog, by language and set of allowed locations. */
const MAX_VIEWS = 100;
/** Of one catalog. A larger view would be built again for each request. One of 150,000 offerings takes about 5 MB. */
const MAX_VIEW_BYTES = 256 * 1024 * 1024;

export type Snapshot = Catalog & { views: LRUCache<string, View> };

/** Approximate bytes, without the cached `pages`. */
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
 * Returns the tenant's catalog, from memory if it is known to be up to date (architecture 6).
 * @throws AppError service_unavailable if the tenant no longer exists.
 */
export async function snapshotOf(tenantId: string): Promise<Snapshot> {
  const snapshot = await snapshots().get(tenantId);
  if (!snapshot) throw new AppError('service_unavailable');
  return snapshot;
}
