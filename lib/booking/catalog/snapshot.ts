import { LRUCache } from 'lru-cache';
import { AppError } from '@/lib/contract/errors/app-error';
import { type Cache, createCache } from '@/lib/platform/cache/cache';
import { singleton } from '@/lib/platform/singleton';
import { type Catalog, loadCatalog } from './load';
import type { View } from './view-types';

/** Tenants whose catalog is kept in memory. */
const MAX_TENANTS = 200;
/** Views of one catalog: languages × sets of allowed locations. */
const MAX_VIEWS = 100;

/** A tenant's catalog at one moment, and what was prepared from it for answers. */
export type Snapshot = Catalog & { views: LRUCache<string, View> };

function snapshots(): Cache<Snapshot> {
  return singleton('cache:catalog', () =>
    createCache<Snapshot>({
      topic: 'catalog',
      max: MAX_TENANTS,
      load: async (tenantId) => {
        const catalog = await loadCatalog(tenantId);
        return catalog && { ...catalog, views: new LRUCache({ max: MAX_VIEWS }) };
      },
      concerns: (snapshot, id) => snapshot.tenantId === id,
    }),
  );
}

/**
 * Returns the tenant's catalog, from memory when that may be served (architecture 6).
 * @throws AppError service_unavailable when the tenant is gone.
 */
export async function snapshotOf(tenantId: string): Promise<Snapshot> {
  const snapshot = await snapshots().get(tenantId);
  if (!snapshot) throw new AppError('service_unavailable');
  return snapshot;
}
