import { AppError } from '@/lib/contract/errors/app-error';
import { env } from '@/lib/platform/env';
import { SANDBOX_TENANT_ID } from '@/lib/platform/ids';
import { param, statement } from '@/lib/platform/sql';
import type { WriteTx } from '@/lib/platform/write-transaction';
import type { Snapshot } from './snapshot';

const LAST_RESET = statement<{ last_reset_at: Date | null }>('sandbox-last-reset')`
  SELECT last_reset_at FROM tenants WHERE id = ${param.text('tenantId')}`;

/**
 * Refuses a write whose catalog snapshot is older than the last sandbox reset. Call this in its transaction, after the
 * tenant is locked. Outside the sandbox, runs no query.
 * @throws AppError service_unavailable if the snapshot is older than the reset.
 */
export async function refuseStale(tx: WriteTx, { tenantId, lastResetAt }: Snapshot): Promise<void> {
  if (tenantId !== SANDBOX_TENANT_ID || env().ENVIRONMENT !== 'TEST') return;
  const [tenant] = await tx.query(LAST_RESET, { tenantId });
  if (tenant?.last_reset_at?.getTime() !== lastResetAt?.getTime())
    throw new AppError('service_unavailable', { retryAfter: 1 });
}
