import type { Sql } from '@/lib/platform/sql';

/**
 * Returns the SQL condition for an active endpoint: the endpoint is in the state `active`, and its application has the
 * scope `webhooks.manage` and is not suspended (contract B11). While the condition is false, the endpoint's deliveries
 * are held.
 */
export function activeSql(endpoint: string, application: string): string {
  return `(${endpoint}.state = 'active' AND ${application}.suspended_at IS NULL
    AND 'webhooks.manage' = ANY (${application}.scopes))`;
}

/**
 * The condition from `activeSql`, for statements that use the alias `e` for the endpoint and `a` for the application.
 */
export const ACTIVE: Sql<object> = { chunks: [activeSql('e', 'a')] };
