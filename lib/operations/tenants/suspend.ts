import { recordChange } from '@/lib/activity/audit/record';
import { notFound } from '@/lib/contract/errors/app-error';
import { type Db, db } from '@/lib/platform/db';
import { Prisma } from '@/lib/platform/generated/prisma/client';
import { activeSql } from '@/lib/webhooks/active';
import { releaseHeld } from '@/lib/webhooks/held';
import { notifyPolicies } from './notify';
import { requireUndeleted } from './undeleted';

/** Maximum milliseconds of the transaction, which changes rows of all the tenant's applications. */
const TIMEOUT = 60_000;

/**
 * The result of `setTenantSuspended`. `changed` is false if the tenant was already in the requested state. If the
 * tenant was suspended before the call, `since` is the time of that suspension. Otherwise, `since` is null.
 */
export type Suspension = { name: string; changed: boolean; since: Date | null };

/**
 * Suspends or resumes a tenant. If the tenant is already in the requested state, changes nothing. Every instance
 * applies the change within one second. Writes that an instance has already accepted are completed.
 *
 * While a tenant is suspended, its partners' requests are refused, its deliveries are held, and its members can change
 * nothing (`lib/control-center/trpc/init.ts`).
 * @param moving whether the suspended tenant is being moved to another deployment. Its partners then get a 503 instead
 *   of a 403, because their requests will succeed again.
 * @throws AppError not_found if there is no such tenant; invalid_request for `tenant` if it is being deleted.
 */
export async function setTenantSuspended(
  now: Date,
  tenantId: string,
  suspended: boolean,
  moving = false,
): Promise<Suspension> {
  return db().$transaction(
    async (tx) => {
      // An insert of an application locks the row of its tenant (foreign key). FOR UPDATE therefore waits for running
      // inserts and blocks new ones, so that `notifyPolicies` reads all applications.
      await tx.$queryRaw`SELECT 1 FROM tenants WHERE id = ${tenantId} FOR UPDATE`;
      const tenant = await tx.tenant.findUnique({ where: { id: tenantId } });
      if (!tenant) throw notFound();
      const { name, suspendedAt: since } = tenant;
      requireUndeleted(tenant);
      const wasMoving = tenant.movingSince !== null;
      if ((since !== null) === suspended && wasMoving === moving) return { name, changed: false, since };
      const times = { suspendedAt: suspended ? (since ?? now) : null, movingSince: moving ? now : null };
      await tx.tenant.update({ where: { id: tenantId }, data: times });
      if (!suspended) await releaseActive(tx, now, tenantId);
      await recordChange(tx, now, {
        tenantId,
        actor: { kind: 'operator' },
        action: suspended ? 'tenant.suspended' : 'tenant.resumed',
        object: { kind: 'tenant', id: tenantId },
        before: { suspended: since !== null, ...(wasMoving && { moving: true }) },
        after: { suspended, ...(moving && { moving }) },
      });
      await notifyPolicies(tx, tenantId);
      return { name, changed: true, since };
    },
    { timeout: TIMEOUT },
  );
}

/** After a tenant was resumed, makes the held deliveries of its active endpoints due immediately. */
async function releaseActive(tx: Db, now: Date, tenantId: string): Promise<void> {
  const endpoints = await tx.$queryRaw<{ application_id: string }[]>`
    SELECT e.application_id FROM webhook_endpoints e JOIN applications a ON a.id = e.application_id
    WHERE e.tenant_id = ${tenantId} AND ${Prisma.raw(activeSql('e', 'a'))} ORDER BY 1`;
  for (const { application_id } of endpoints) await releaseHeld(tx, now, application_id);
}
