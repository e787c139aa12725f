import type { Sql } from '@/lib/platform/sql';

/** Returns SQL for the time at which an application or its tenant was suspended, or NULL. */
export function suspendedSql(application: string): string {
  return `coalesce(${application}.suspended_at,
    (SELECT tenants.suspended_at FROM tenants WHERE tenants.id = ${application}.tenant_id))`;
}

/** Returns the SQL condition for an active endpoint (contract B11). The deliveries of all other endpoints are held. */
export function activeSql(endpoint: string, application: string): string {
  return `(${endpoint}.state = 'active' AND ${suspendedSql(application)} IS NULL
    AND 'webhooks.manage' = ANY (${application}.scopes))`;
}

/** For the alias `a` of applications. */
export const NOT_SUSPENDED: Sql<object> = { chunks: [`${suspendedSql('a')} IS NULL`] };

/** For the aliases `e` (endpoint) and `a` (application). */
export const ACTIVE: Sql<object> = { chunks: [activeSql('e', 'a')] };
