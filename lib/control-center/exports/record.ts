import type { Actor } from '@/lib/activity/audit/actor';
import { recordChange } from '@/lib/activity/audit/record';
import { AppError } from '@/lib/contract/errors/app-error';
import { db, pool } from '@/lib/platform/db';
import type { Prisma } from '@/lib/platform/generated/prisma/client';

/** Maximum duration of an export in milliseconds. */
export const LONGEST = 300_000;

/** Maps each list that can be exported to the kind of object in its audit entry. */
const KINDS = { requests: 'request_log', audit: 'audit_log' } as const;

/** A list that can be exported. */
export type ExportedList = keyof typeof KINDS;

const ACTIONS = Object.keys(KINDS).map((list) => `${list}.exported`);

/** The member who exports a list, the list, and the filters that are set. */
export type Export = {
  tenantId: string;
  actor: Extract<Actor, { kind: 'owner' }>;
  list: ExportedList;
  filters: Prisma.InputJsonObject;
};

/**
 * How an export ended: with all rows, with the maximum number of rows, or early because the client canceled or the
 * server failed.
 */
export type Outcome = { rows: number; result: 'complete' | 'limit' | 'canceled' | 'failed' };

const RUNNING = `
  SELECT FROM audit_log WHERE tenant_id = $1 AND actor_id = $2 AND at > $3 AND action = ANY ($4)
    AND after->'rows' IS NULL LIMIT 1`;

/**
 * Records the start of an export in the audit log and returns the id of the entry. The entry is committed before the
 * first row is sent, so that no export remains unrecorded. While an entry has no number of rows, every instance counts
 * the export as running. If the process ends during the export, the export counts as running until `LONGEST` has
 * passed.
 * @throws AppError export_running if an export of the member is running.
 */
export async function beginExport(now: Date, { tenantId, actor, list, filters }: Export): Promise<string> {
  return db().$transaction(async (tx) => {
    // Locks the member, so that two exports of one member begin one after the other.
    await tx.$queryRaw`SELECT 1 FROM users WHERE id = ${actor.id} FOR NO KEY UPDATE`;
    const since = new Date(now.getTime() - LONGEST);
    const running = await tx.$queryRawUnsafe<unknown[]>(RUNNING, tenantId, actor.id, since, ACTIONS);
    if (running.length > 0) throw new AppError('export_running');
    const object = { kind: KINDS[list], id: tenantId };
    return recordChange(tx, now, { tenantId, actor, action: `${list}.exported`, object, after: filters });
  });
}

/** Adds the outcome of an export to its audit entry. The member can then start another export. */
export async function endExport(entryId: string, outcome: Outcome): Promise<void> {
  await pool().query('UPDATE audit_log SET after = $2::jsonb || after WHERE id = $1', [
    entryId,
    JSON.stringify(outcome),
  ]);
}
