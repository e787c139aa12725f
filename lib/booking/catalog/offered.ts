import type { Db } from '@/lib/platform/db';
import type { Prisma } from '@/lib/platform/generated/prisma/client';

/** A large catalog has 150,000 offerings. Reading one row per offering would take several times as long. */
export type OfferedServices = { specialist_id: string; location_id: string; service_ids: string[] };

/** Reads the offerings of a tenant, or of some of its specialists. */
export function readOffered(
  client: Db,
  tenantId: string,
  specialistIds: readonly string[] | null = null,
): Prisma.PrismaPromise<OfferedServices[]> {
  return client.$queryRaw<OfferedServices[]>`
    SELECT specialist_id, location_id, array_agg(service_id) AS service_ids FROM offerings
    WHERE tenant_id = ${tenantId} AND (${specialistIds}::text[] IS NULL OR specialist_id = ANY (${specialistIds}::text[]))
    GROUP BY specialist_id, location_id`;
}
