import { notFound } from '@/lib/contract/errors/app-error';
import type { Db } from '@/lib/platform/db';
import type { Prisma } from '@/lib/platform/generated/prisma/client';

/** Returns the selected columns of a tenant. @throws AppError not_found if the tenant does not exist. */
export async function readTenant<Columns extends Prisma.TenantSelect>(client: Db, tenantId: string, select: Columns) {
  const row = await client.tenant.findFirst({ where: { id: tenantId }, select });
  if (!row) throw notFound();
  return row;
}
