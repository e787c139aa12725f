import type { Actor } from '@/lib/activity/audit/actor';
import { notFound } from '@/lib/contract/errors/app-error';
import { markChanged } from '@/lib/platform/cache/changes';
import { type Db, db } from '@/lib/platform/db';
import { sharedTenantLock, takeLock } from '@/lib/platform/locks';
import type { Languages } from '../records';
import { constraintRefusal } from './constraints';

/** Maximum milliseconds to wait for a connection. */
const MAX_WAIT = 5_000;
/** Maximum milliseconds that a whole change may take. */
const MAX_TIME = 15_000;
/** Maximum milliseconds that an import may take. The largest catalog takes about ten seconds on an idle machine. */
export const MAX_IMPORT_TIME = 60_000;

export type By = { tenantId: string; actor: Actor };

/** A running change: its tenant, actor, transaction, and time, and the tenant's languages. */
export type Change = By & { tx: Db; now: Date; languages: Languages };

/**
 * Runs a change to a tenant's catalog in one transaction. Changes to the same catalog run one after another. After the
 * commit, every instance drops its cached catalog. Booking writes do not wait for the change. Each of them uses the
 * catalog as it was before the change, or as it is after it.
 * @throws AppError from `work`; not_found if the tenant does not exist; invalid_request if the change violates a
 *   database constraint.
 */
export async function changeCatalog<T>(
  now: Date,
  by: By,
  work: (change: Change) => Promise<T>,
  timeout = MAX_TIME,
): Promise<T> {
  const { tenantId } = by;
  try {
    return await db().$transaction(
      async (tx) => {
        await takeLock(tx, sharedTenantLock(tenantId));
        const languages = await lockTenant(tx, tenantId);
        const result = await work({ ...by, tx, now, languages });
        await markChanged(tx, 'catalog', tenantId);
        return result;
      },
      { maxWait: MAX_WAIT, timeout },
    );
  } catch (error) {
    throw constraintRefusal(error) ?? error;
  }
}

// FOR NO KEY UPDATE is sufficient. FOR UPDATE would also block inserts of rows that refer to the tenant.
async function lockTenant(tx: Db, tenantId: string): Promise<Languages> {
  const [tenant] = await tx.$queryRaw<Languages[]>`
    SELECT locales, default_locale AS "defaultLocale" FROM tenants WHERE id = ${tenantId} FOR NO KEY UPDATE`;
  if (!tenant) throw notFound();
  return tenant;
}

/**
 * Returns the tenant's languages.
 * @throws AppError not_found if the tenant does not exist.
 */
export async function languagesOf(tenantId: string): Promise<Languages> {
  const tenant = await db().tenant.findFirst({
    where: { id: tenantId },
    select: { locales: true, defaultLocale: true },
  });
  if (!tenant) throw notFound();
  return tenant;
}
