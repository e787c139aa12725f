import type { Sql } from '@/lib/platform/sql';

/**
 * Returns the SQL for the time at which an application was suspended, either itself or with its tenant. The SQL
 * evaluates to null if neither is suspended.
 */
export function suspendedSql(application: string): string {
  return `coalesce(${application}.suspended_at,
    (SELECT tenants.suspended_at FROM tenants WHERE tenants.id = ${application}.tenant_id))`;
}

/**
 * Returns the SQL condition for an active endpoint: the endpoint is in the state `active`, its application has the
 * scope `webhooks.manage`, and neither the application nor its tenant is suspended (contract B11). While the condition
 * is false, the endpoint's deliveries are held.
 */
export function activeSql(endpoint: string, application: string): string {
  return `(${endpoint}.state = 'active' AND ${suspendedSql(application)} IS NULL
    AND 'webhooks.manage' = ANY (${application}.scopes))`;
}

/**
 * The condition from `activeSql`, for statements that use the alias `e` for the endpoint and `a` for the application.
 */
export const ACTIVE: Sql<object> = { chunks: [activeSql('e', 'a')] };
