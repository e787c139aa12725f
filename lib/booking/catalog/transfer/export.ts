import { db } from '@/lib/platform/db';
import { Prisma } from '@/lib/platform/generated/prisma/client';
import type { AnyDoc, Kind } from '../edit/kind';
import { LOCATIONS } from '../edit/location-kind';
import { SERVICES } from '../edit/service-kind';
import { SPECIALISTS } from '../edit/specialist-kind';
import { type CatalogDocument, FORMAT } from './document';

/** Returns a consistent snapshot of the catalog. Importing it into the unchanged catalog changes nothing. */
export function exportCatalog(tenantId: string): Promise<CatalogDocument> {
  const isolationLevel = Prisma.TransactionIsolationLevel.RepeatableRead;
  return db().$transaction(
    async (tx) => {
      const all = async <Doc extends AnyDoc>(kind: Kind<Doc>) =>
        (await kind.read(tx, tenantId, null)).map(({ id, doc }) => ({ id, ...doc }));
      const [locations, services, specialists] = [await all(LOCATIONS), await all(SERVICES), await all(SPECIALISTS)];
      return { format: FORMAT, locations, services, specialists };
    },
    { isolationLevel, timeout: 8_000 },
  );
}
