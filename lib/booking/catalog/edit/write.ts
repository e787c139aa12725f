import { z } from 'zod';
import { readTenant } from '@/lib/access/tenants/read';
import type { Actor } from '@/lib/activity/audit/actor';
import { AppError, notFound } from '@/lib/contract/errors/app-error';
import { markChanged } from '@/lib/platform/cache';
import { type Db, db } from '@/lib/platform/db';
import { Prisma } from '@/lib/platform/generated/prisma/client';
import { sharedTenantLock, takeLock } from '@/lib/platform/locks';
import type { Languages } from '../records';

/** Milliseconds, for a connection. */
const MAX_WAIT = 5_000;
/** Milliseconds of a whole change. */
const MAX_TIME = 15_000;
/** Milliseconds. The largest catalog takes about ten seconds on an idle machine. */
export const MAX_IMPORT_TIME = 60_000;

export type By = { tenantId: string; actor: Actor };

export type Change = By & { tx: Db; now: Date; languages: Languages };

/**
 * Runs a change to a tenant's catalog in one transaction, one after another. After the commit, every instance drops its
 * cached catalog. Booking writes do not wait: each uses the catalog before or after the change.
 * @throws AppError from `work`; not_found if the tenant does not exist; invalid_request if a constraint is violated.
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

// FOR UPDATE would also block inserts of rows that refer to the tenant.
async function lockTenant(tx: Db, tenantId: string): Promise<Languages> {
  const [tenant] = await tx.$queryRaw<Languages[]>`
    SELECT locales, default_locale AS "defaultLocale" FROM tenants WHERE id = ${tenantId} FOR NO KEY UPDATE`;
  if (!tenant) throw notFound();
  return tenant;
}

/** Returns the tenant's languages. @throws AppError not_found if the tenant does not exist. */
export async function languagesOf(tenantId: string): Promise<Languages> {
  return readTenant(db(), tenantId, { locales: true, defaultLocale: true });
}

const failure = z.object({
  driverAdapterError: z.object({ cause: z.object({ originalCode: z.string(), originalMessage: z.string() }) }),
});

/** Returns the refusal if PostgreSQL rejected the data, with the name of a violated constraint and no values, or null. */
function constraintRefusal(error: unknown): AppError | null {
  if (!(error instanceof Prisma.PrismaClientKnownRequestError)) return null;
  const parsed = failure.safeParse(error.meta);
  if (!parsed.success) return null;
  const { originalCode: code, originalMessage: text } = parsed.data.driverAdapterError.cause;
  // SQLSTATE 22: data exception. 23: integrity constraint violation.
  if (!/^2[23]/.test(code)) return null;
  const constraint = /^([a-z_]{1,63})"$/.exec(text.slice(text.lastIndexOf(' "') + 2))?.[1];
  const message = constraint ? `violates the database constraint ${constraint}` : 'is rejected by the database';
  return new AppError('invalid_request', {
    message: 'The database rejected the change.',
    fields: [{ path: '*', message }],
    cause: error,
  });
}
