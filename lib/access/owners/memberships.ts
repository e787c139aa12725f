import { pool } from '@/lib/platform/db';
import { bind, param, sql, statement } from '@/lib/platform/sql';

/** SQL for an account `u` that is a member of a tenant, or can take over such an account (`takeOver`). */
export const CAN_ENTER = sql`u.closed_at IS NULL AND (EXISTS (SELECT FROM memberships WHERE user_id = u.id)
    OR u.address_proven_at IS NOT NULL AND EXISTS (
      SELECT FROM users o JOIN memberships n ON n.user_id = o.id
      WHERE o.email = u.email AND o.closed_at IS NULL AND o.address_proven_at IS NULL))`;

/** Any further tenant can be opened only by its URL. */
const MAX_CHOICES = 200;

export type TenantChoice = { id: string; name: string };

const CHOICES = statement<TenantChoice>('membership-choices')`
  SELECT t.id, t.name FROM memberships m JOIN tenants t ON t.id = m.tenant_id
  WHERE m.user_id = ${param.text('userId')}
  ORDER BY lower(t.name), t.id LIMIT ${MAX_CHOICES}`;

/** Returns the tenants of which a person is a member, ordered by name, at most `MAX_CHOICES`. */
export async function tenantsOf(userId: string): Promise<TenantChoice[]> {
  const { rows } = await pool().query<TenantChoice>(bind(CHOICES, { userId }));
  return rows;
}

const LAST = statement<{ tenant_id: string }>('membership-last')`
  SELECT tenant_id FROM memberships WHERE user_id = ${param.text('userId')}
  ORDER BY last_used_at DESC NULLS LAST, created_at, tenant_id LIMIT 1`;

/** Returns the id of the tenant that a person used last, or null without a membership. */
export async function lastTenantOf(userId: string): Promise<string | null> {
  const { rows } = await pool().query<{ tenant_id: string }>(bind(LAST, { userId }));
  return rows[0]?.tenant_id ?? null;
}

// Without EXISTS, `LAST` could return the previous tenant for up to a minute.
const USE = statement<never>('membership-use')`
  UPDATE memberships m SET last_used_at = ${param.timestamptz('now')}
  WHERE m.tenant_id = ${param.text('tenantId')} AND m.user_id = ${param.text('userId')}
    AND (m.last_used_at IS NULL OR m.last_used_at <= ${param.timestamptz('minuteAgo')}
      OR EXISTS (SELECT FROM memberships o WHERE o.user_id = m.user_id AND o.tenant_id <> m.tenant_id
        AND o.last_used_at >= m.last_used_at))`;

/** Records that a person uses a tenant, at most once a minute, and a change to another tenant immediately. */
export async function recordUse(now: Date, userId: string, tenantId: string): Promise<void> {
  const minuteAgo = new Date(now.getTime() - 60_000);
  await pool().query(bind(USE, { now, minuteAgo, userId, tenantId }));
}
