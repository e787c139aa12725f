import { AppError, notFound } from '@/lib/contract/errors/app-error';
import type { Db } from '@/lib/platform/db';

type Limits = { applications: number | null; locations: number | null };

/**
 * Ensures that the tenant may have `adding` more records of this kind, before they are inserted. Locks the tenant's
 * row, so that concurrent calls cannot exceed the limit.
 * @throws AppError limit_reached above the operator's limit; not_found if there is no such tenant.
 */
export async function requireRoom(tx: Db, tenantId: string, kind: keyof Limits, adding: number): Promise<void> {
  // FOR UPDATE would also block inserts of rows that refer to the tenant.
  const [limits] = await tx.$queryRaw<Limits[]>`
    SELECT max_applications AS applications, max_locations AS locations
    FROM tenants WHERE id = ${tenantId} FOR NO KEY UPDATE`;
  if (!limits) throw notFound();
  const limit = limits[kind];
  if (limit === null) return;
  const where = { tenantId };
  const present = await (kind === 'applications' ? tx.application.count({ where }) : tx.location.count({ where }));
  if (present + adding <= limit) return;
  const message = `This would exceed the operator’s limit for ${kind}, which is ${limit}. This business already has ${present}. Ask the operator for a higher limit.`;
  throw new AppError('limit_reached', { message });
}
