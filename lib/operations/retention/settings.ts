import { readTenant } from '@/lib/access/tenants/read';
import type { Actor } from '@/lib/activity/audit/actor';
import { recordChange } from '@/lib/activity/audit/record';
import { db, pool } from '@/lib/platform/db';

/** Days. Owners can replay deliveries of 14 days (contract B11). The Overview counts the events of the last 60. */
export const BOUNDS = {
  request_log_days: { min: 1, max: 30 },
  contact_days: { min: 1, max: 3650 },
  delivery_days: { min: 14, max: 365 },
  history_days: { min: 90, max: 3650 },
} as const;

/** Days, in TEST. Testers sometimes book with real numbers. */
export const TEST_CONTACT_DAYS = 30;

/** In days. */
export type Retention = {
  request_log_days: number;
  /** After the appointment. Null: forever. */
  contact_days: number | null;
  delivery_days: number;
  /** Of a booking's events after the appointment. Null: forever. */
  history_days: number | null;
};

const COLUMNS = { requestLogDays: true, contactDays: true, deliveryDays: true, historyDays: true } as const;

type Row = {
  requestLogDays: number;
  contactDays: number | null;
  deliveryDays: number;
  historyDays: number | null;
};

const shown = ({ requestLogDays, contactDays, deliveryDays, historyDays }: Row): Retention => ({
  request_log_days: requestLogDays,
  contact_days: contactDays,
  delivery_days: deliveryDays,
  history_days: historyDays,
});

/** Returns a tenant's retention settings. @throws AppError not_found if the tenant does not exist. */
export async function readRetention(tenantId: string): Promise<Retention> {
  return shown(await readTenant(db(), tenantId, COLUMNS));
}

/**
 * Changes a tenant's retention settings. The next `prune` permanently deletes the data that exceeds them.
 * @throws AppError not_found if the tenant does not exist.
 */
export async function changeRetention(
  now: Date,
  { tenantId, actor }: { tenantId: string; actor: Actor },
  after: Retention,
): Promise<void> {
  await db().$transaction(async (tx) => {
    await tx.$queryRaw`SELECT 1 FROM tenants WHERE id = ${tenantId} FOR NO KEY UPDATE`;
    const before = shown(await readTenant(tx, tenantId, COLUMNS));
    if (JSON.stringify(before) === JSON.stringify(after)) return;
    const data: Row = {
      requestLogDays: after.request_log_days,
      contactDays: after.contact_days,
      deliveryDays: after.delivery_days,
      historyDays: after.history_days,
    };
    await tx.tenant.update({ where: { id: tenantId }, data });
    const object = { kind: 'tenant', id: tenantId };
    await recordChange(tx, now, { tenantId, actor, action: 'retention.changed', object, before, after });
  });
}

const MAX_COUNT = 10_000;

const DUE = `SELECT count(*)::int AS due FROM (
  SELECT FROM bookings WHERE tenant_id = $1 AND ends_at < $2 AND customer_name IS NOT NULL LIMIT ${MAX_COUNT + 1}) b`;

/** Returns the number of contacts in bookings that ended more than `days` days ago, at most `MAX_COUNT` + 1. */
export async function contactsOlderThan(now: Date, tenantId: string, days: number): Promise<number> {
  const { rows } = await pool().query<{ due: number }>(DUE, [tenantId, daysBefore(now, days)]);
  return rows[0]?.due ?? 0;
}

/** Returns the time that is `days` × 24 hours before `now`. */
export function daysBefore(now: Date, days: number): Date {
  return new Date(now.getTime() - days * 86_400_000);
}
