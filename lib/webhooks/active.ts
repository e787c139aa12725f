import type { Sql } from '@/lib/platform/sql';

/**
 * Returns the SQL condition for an active endpoint: the endpoint is in the state `active`, and its application has
 * `webhooks.manage` and is not suspended (contract B11). If the condition is false, the deliveries of the endpoint are
 * held.
 */
export function activeSql(endpoint: string, application: string): string {
  return `(${endpoint}.state = 'active' AND ${application}.suspended_at IS NULL
    AND 'webhooks.manage' = ANY (${application}.scopes))`;
}

/** The condition of `activeSql` for endpoint `e` and application `a`, for use in statements. */
export const ACTIVE: Sql<object> = { chunks: [activeSql('e', 'a')] };
