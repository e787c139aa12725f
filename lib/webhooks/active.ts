import type { Sql } from '@/lib/platform/sql';

/**
 * Returns an SQL condition: the endpoint is active, and its application has `webhooks.manage` and is not suspended
 * (contract B11). Otherwise the deliveries of the endpoint are held.
 */
export function activeSql(endpoint: string, application: string): string {
  return `(${endpoint}.state = 'active' AND ${application}.suspended_at IS NULL
    AND 'webhooks.manage' = ANY (${application}.scopes))`;
}

/** The same condition for endpoint `e` and application `a`, as a piece of a statement. */
export const ACTIVE: Sql<object> = { chunks: [activeSql('e', 'a')] };
