import type { Sql } from '@/lib/platform/sql';

/**
 * Returns the SQL condition for an active endpoint: the endpoint is in the state `active`, and its application has the
 * scope `webhooks.manage` and is not suspended (contract B11). While the condition is false, the deliveries of the
 * endpoint are held.
 */
export function activeSql(endpoint: string, application: string): string {
  return `(${endpoint}.state = 'active' AND ${application}.suspended_at IS NULL
    AND 'webhooks.manage' = ANY (${application}.scopes))`;
}

/**
 * The condition of `activeSql` for statements in which the endpoint has the alias `e` and the application the alias
 * `a`.
 */
export const ACTIVE: Sql<object> = { chunks: [activeSql('e', 'a')] };
