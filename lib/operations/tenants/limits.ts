import { recordChange } from '@/lib/activity/audit/record';
import { notFound } from '@/lib/contract/errors/app-error';
import { db } from '@/lib/platform/db';
import { notifyPolicies } from './notify';

/** Null means no limit. */
export type TenantLimits = {
  max_applications: number | null;
  max_locations: number | null;
  /** Of all applications together in 60 seconds (contract B9). */
  max_requests_per_minute: number | null;
};

/** In the database. The lowest is 1. */
export const MAX_LIMIT = 1_000_000;

/**
 * Changes some of a tenant's limits, and returns its name and all limits. Existing records above a limit remain. A
 * limit on requests takes effect in every instance within one second.
 * @throws AppError not_found if there is no such tenant.
 */
export async function changeLimits(
  now: Date,
  tenantId: string,
  change: Partial<TenantLimits>,
): Promise<{ name: string; limits: TenantLimits }> {
  return db().$transaction(async (tx) => {
    // Waits for running inserts of applications and blocks new ones, so that `notifyPolicies` finds all.
    const [row] = await tx.$queryRaw<(TenantLimits & { name: string })[]>`
      SELECT name, max_applications, max_locations, max_requests_per_minute FROM tenants WHERE id = ${tenantId} FOR UPDATE`;
    if (!row) throw notFound();
    const { name, ...before } = row;
    const after = { ...before, ...change };
    if (JSON.stringify(before) === JSON.stringify(after)) return { name, limits: before };
    const { max_applications, max_locations, max_requests_per_minute } = after;
    await tx.tenant.update({
      where: { id: tenantId },
      data: {
        maxApplications: max_applications,
        maxLocations: max_locations,
        maxRequestsPerMinute: max_requests_per_minute,
      },
    });
    const object = { kind: 'tenant', id: tenantId };
    const actor = { kind: 'operator' } as const;
    await recordChange(tx, now, { tenantId, actor, action: 'tenant.limits_changed', object, before, after });
    await notifyPolicies(tx, tenantId);
    return { name, limits: after };
  });
}
