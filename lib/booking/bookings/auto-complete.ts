import { readTenant } from '@/lib/access/tenants/read';
import type { Actor } from '@/lib/activity/audit/actor';
import { recordChange } from '@/lib/activity/audit/record';
import { AppError } from '@/lib/contract/errors/app-error';
import { db, pool } from '@/lib/platform/db';
import { rulesProblem } from '@/lib/platform/rules-in-force';
import { bind, param, statement } from '@/lib/platform/sql';
import { changeByOwner } from './owner-change';

/** In hours from the end of the visit. The database has the same bounds. */
export const COMPLETE_AFTER = { min: 1, max: 720 } as const;

/** Maximum number of tenants of one run, and of bookings of each. The next run finds the others. */
const MAX_TENANTS = 500;
const MAX_BOOKINGS = 100;

type By = { tenantId: string; actor: Actor };

/** Returns after how many hours visits of a tenant are completed; null for never. @throws AppError not_found */
export async function readCompleteAfter(tenantId: string): Promise<number | null> {
  return (await readTenant(db(), tenantId, { completeAfterHours: true })).completeAfterHours;
}

/**
 * Changes after how many hours visits are completed, or switches that off. Visits that ended before it is switched on are left
 * alone; other hours apply to all since then.
 * @throws AppError not_found
 */
export async function setCompleteAfter(now: Date, { tenantId, actor }: By, hours: number | null): Promise<void> {
  await db().$transaction(async (tx) => {
    await tx.$queryRaw`SELECT 1 FROM tenants WHERE id = ${tenantId} FOR NO KEY UPDATE`;
    const row = await readTenant(tx, tenantId, { completeAfterHours: true, completeSince: true });
    if (row.completeAfterHours === hours) return;
    const completeSince = hours === null ? null : (row.completeSince ?? now);
    await tx.tenant.update({ where: { id: tenantId }, data: { completeAfterHours: hours, completeSince } });
    const values = { before: { complete_after_hours: row.completeAfterHours }, after: { complete_after_hours: hours } };
    const object = { kind: 'tenant', id: tenantId };
    await recordChange(tx, now, { tenantId, actor, action: 'automatic_completion.changed', object, ...values });
  });
}

type Due = { tenant_id: string; reference: string; version: number };

// The bounds of `starts_at` let PostgreSQL use the index on status and start: no appointment is longer than a day. A booking
// whose completion was undone is left to the business.
const DUE = statement<Due>('completions-due')`
  SELECT d.tenant_id, d.reference, d.version FROM (
    SELECT t.id, t.complete_since, ${param.timestamptz('now')} - t.complete_after_hours * interval '1 hour' AS until
    FROM tenants t WHERE t.complete_after_hours IS NOT NULL AND t.suspended_at IS NULL AND t.elsewhere_since IS NULL
    ORDER BY t.id LIMIT ${MAX_TENANTS}) t
  CROSS JOIN LATERAL (
    SELECT b.tenant_id, b.reference, b.version, b.ends_at FROM bookings b
    WHERE b.tenant_id = t.id AND b.status = 'confirmed' AND b.starts_at > t.complete_since - interval '1 day'
      AND b.starts_at < t.until AND b.ends_at > t.complete_since AND b.ends_at <= t.until AND b.reopened_at IS NULL
    ORDER BY b.starts_at, b.reference LIMIT ${MAX_BOOKINGS}) d
  ORDER BY d.ends_at, d.reference`;

/** A booking that somebody else has changed in the meantime. */
const LEFT = new Set(['version_conflict', 'booking_unavailable', 'not_found']);

/**
 * Completes the visits that ended as many hours ago as their business has set (contract B7). Several processes can do this at
 * the same time: each completion requires the version that was read, so each visit gets one event. Returns their number.
 * @throws the first other error of a tenant, after the others
 */
export async function completeVisits(now: Date, signal?: AbortSignal): Promise<number> {
  if (rulesProblem() !== null) return 0;
  const { rows } = await pool().query<Due>(bind(DUE, { now }));
  const failed = new Map<string, unknown>();
  let completed = 0;
  for (const { tenant_id: tenantId, reference, version: expectedVersion } of rows) {
    if (signal?.aborted) break;
    // Others must not wait for a tenant that is busy.
    if (failed.has(tenantId)) continue;
    const change = {
      tenantId,
      reference,
      expectedVersion,
      actor: { kind: 'system' } as const,
      automatic: true,
    } as const;
    try {
      await changeByOwner(now, { ...change, action: 'complete', cancelReason: null });
      completed += 1;
    } catch (error) {
      if (!(error instanceof AppError) || !LEFT.has(error.code)) failed.set(tenantId, error);
    }
  }
  const [first] = failed.values();
  if (first !== undefined) throw first;
  return completed;
}
