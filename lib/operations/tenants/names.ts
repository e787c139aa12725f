import type pg from 'pg';
import { db } from '@/lib/platform/db';
import { TENANTS_LOCK, takeLock } from '@/lib/platform/locks';
import { log } from '@/lib/platform/log';
import { skeletonOf } from '@/lib/platform/text/skeleton';

/** Returns the id of a tenant whose name looks like `name`, or null if there is none. */
export async function tenantNamedLike(client: pg.Client, name: string): Promise<string | null> {
  const { rows } = await client.query<{ id: string }>('SELECT id FROM tenants WHERE name_skeleton = $1', [
    skeletonOf(name),
  ]);
  return rows[0]?.id ?? null;
}

/**
 * Stores missing skeletons of names, those of earlier versions, and replaces those that another version computed
 * differently. If two names look the same, only the older tenant gets one, and a warning is logged.
 */
export async function refreshNameSkeletons(): Promise<void> {
  await db().$transaction(async (tx) => {
    await takeLock(tx, TENANTS_LOCK);
    const tenants = await tx.tenant.findMany({
      select: { id: true, name: true, nameSkeleton: true },
      orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    });
    const owners = new Map<string, string>();
    const wanted = tenants.map((tenant) => {
      const skeleton = skeletonOf(tenant.name);
      const owner = owners.get(skeleton);
      if (owner === undefined) owners.set(skeleton, tenant.id);
      else log().warn({ tenants: [owner, tenant.id] }, 'two businesses have names that look the same');
      return { ...tenant, skeleton: owner === undefined ? skeleton : null };
    });
    const changed = wanted.filter(({ nameSkeleton, skeleton }) => nameSkeleton !== skeleton);
    // A skeleton can pass from one tenant to another, so all are removed first.
    await tx.tenant.updateMany({ where: { id: { in: changed.map(({ id }) => id) } }, data: { nameSkeleton: null } });
    for (const { id, skeleton } of changed)
      if (skeleton !== null) await tx.tenant.update({ where: { id }, data: { nameSkeleton: skeleton } });
  });
}
