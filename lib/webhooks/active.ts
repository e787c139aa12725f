/**
 * SQL that tells whether an endpoint sends: it is active itself, and its application has `webhooks.manage` and is not
 * suspended (contract B11). Otherwise its deliveries are held.
 */
export function activeSql(endpoint: string, application: string): string {
  return `(${endpoint}.state = 'active' AND ${application}.suspended_at IS NULL
    AND 'webhooks.manage' = ANY (${application}.scopes))`;
}
