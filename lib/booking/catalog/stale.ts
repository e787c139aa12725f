import { AppError } from '@/lib/contract/errors/app-error';
import { env } from '@/lib/platform/env';
import { SANDBOX_TENANT_ID } from '@/lib/platform/ids';
import type { WriteTx } from '@/lib/platform/write-transaction';
import type { Snapshot } from './snapshot';

const LAST_RESET = { name: 'sandbox-last-reset', text: 'SELECT last_reset_at FROM tenants WHERE id = $1' };

/**
 * Refuses a write that read the catalog, waited for a reset of the sandbox to end, and would now bring something of the
 * old catalog into the restored one. Ask within the transaction, after the tenant's lock. Costs nothing elsewhere.
 * @throws AppError service_unavailable.
 */
export async function refuseStale(tx: WriteTx, { tenantId, lastResetAt }: Snapshot): Promise<void> {
  if (tenantId !== SANDBOX_TENANT_ID || env().ENVIRONMENT !== 'TEST') return;
  const [tenant] = await tx.query<{ last_reset_at: Date | null }>(LAST_RESET, [tenantId]);
  if (tenant?.last_reset_at?.getTime() !== lastResetAt?.getTime())
    throw new AppError('service_unavailable', { retryAfter: 1 });
}
