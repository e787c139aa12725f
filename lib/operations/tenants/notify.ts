import { markChanged } from '@/lib/platform/cache';
import type { Db } from '@/lib/platform/db';

/** Makes every instance drop the cached policies of a tenant's applications when the transaction commits. */
export async function notifyPolicies(tx: Db, tenantId: string): Promise<void> {
  const select = { id: true } as const;
  const applications = await tx.application.findMany({ where: { tenantId }, select, orderBy: { id: 'asc' } });
  for (const { id } of applications) await markChanged(tx, 'policy', id);
}
