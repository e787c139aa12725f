import type { Actor } from '@/lib/activity/audit/actor';
import { notFound } from '@/lib/contract/errors/app-error';
import { notifyChange } from '@/lib/platform/cache/listener';
import { type Db, db } from '@/lib/platform/db';
import { sharedTenantLock, takeLock } from '@/lib/platform/locks';
import type { Languages } from '../records';
import { constraintRefusal } from './constraints';

/** Milliseconds that a change may wait for a connection, and take; an import of a whole catalog takes longest. */
const MAX_WAIT = 5_000;
const MAX_TIME = 15_000;

/** Who changes the catalog of which tenant. */
export type By = { tenantId: string; actor: Actor };

/** A change under way: its transaction, who makes it, when, and the tenant's languages. */
export type Change = By & { tx: Db; now: Date; languages: Languages };

/**
 * Runs a change of a tenant's catalog in one transaction, in which no other change of it runs, and tells every
 * instance to drop its copy when it commits. Bookings go on meanwhile: they see the catalog before or after.
 * @throws AppError what `work` throws; invalid_request when a constraint of the database refuses what passed our rules.
 */
export async function changeCatalog<T>(now: Date, by: By, work: (change: Change) => Promise<T>): Promise<T> {
  const { tenantId } = by;
  try {
    return await db().$transaction(
      async (tx) => {
        // As every write: a sandbox reset takes this lock exclusively.
        await takeLock(tx, sharedTenantLock(tenantId));
        const languages = await lockTenant(tx, tenantId);
        const result = await work({ ...by, tx, now, languages });
        await notifyChange(tx, 'catalog', tenantId);
        return result;
      },
      { maxWait: MAX_WAIT, timeout: MAX_TIME },
    );
  } catch (error) {
    throw constraintRefusal(error) ?? error;
  }
}

// Not FOR UPDATE: what refers to the tenant may still be inserted meanwhile.
async function lockTenant(tx: Db, tenantId: string): Promise<Languages> {
  const [tenant] = await tx.$queryRaw<Languages[]>`
    SELECT locales, default_locale AS "defaultLocale" FROM tenants WHERE id = ${tenantId} FOR NO KEY UPDATE`;
  if (!tenant) throw notFound();
  return tenant;
}

/** Returns the tenant's languages. */
export async function languagesOf(tenantId: string): Promise<Languages> {
  const tenant = await db().tenant.findUnique({
    where: { id: tenantId },
    select: { locales: true, defaultLocale: true },
  });
  if (!tenant) throw notFound();
  return tenant;
}
