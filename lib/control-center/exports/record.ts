import type { Actor } from '@/lib/activity/audit/actor';
import { recordChange } from '@/lib/activity/audit/record';
import { AppError } from '@/lib/contract/errors/app-error';
import { db, pool } from '@/lib/platform/db';
import type { Prisma } from '@/lib/platform/generated/prisma/client';

/** Milliseconds. */
export const LONGEST = 300_000;

const KINDS = { requests: 'request_log', audit: 'audit_log', bookings: 'tenant', statistics: 'tenant' } as const;

export type ExportedList = keyof typeof KINDS;

const ACTIONS = Object.keys(KINDS).map((list) => `${list}.exported`);

export type Export = {
  tenantId: string;
  actor: Extract<Actor, { kind: 'owner' }>;
  list: ExportedList;
  filters: Prisma.InputJsonObject;
};

/** `limit`: at the maximum number of rows. `canceled`: by the client. `failed`: because of a server error. */
export type Outcome = { rows: number; result: 'complete' | 'limit' | 'canceled' | 'failed' };

const RUNNING = `
  SELECT FROM audit_log WHERE tenant_id = $1 AND actor_id = $2 AND at > $3 AND action = ANY ($4)
    AND after->'rows' IS NULL LIMIT 1`;

/**
 * Records the start of an export in the audit log, committed before the first row is sent, and returns the entry's id.
 * It runs until `endExport`, or for `LONGEST` milliseconds.
 * @throws AppError export_running if the member already has a running export
 */
export async function beginExport(now: Date, { tenantId, actor, list, filters }: Export): Promise<string> {
  return db().$transaction(async (tx) => {
    // Concurrent calls for one member run one after another.
    await tx.$queryRaw`SELECT 1 FROM users WHERE id = ${actor.id} FOR NO KEY UPDATE`;
    const since = new Date(now.getTime() - LONGEST);
    const running = await tx.$queryRawUnsafe<unknown[]>(RUNNING, tenantId, actor.id, since, ACTIONS);
    if (running.length > 0) throw new AppError('export_running');
    const object = { kind: KINDS[list], id: tenantId };
    return recordChange(tx, now, { tenantId, actor, action: `${list}.exported`, object, after: filters });
  });
}

/** Adds the outcome of an export to its audit entry, so that the member can start another one. */
export async function endExport(entryId: string, outcome: Outcome): Promise<void> {
  await pool().query('UPDATE audit_log SET after = $2::jsonb || after WHERE id = $1', [
    entryId,
    JSON.stringify(outcome),
  ]);
}
