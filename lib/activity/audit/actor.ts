/**
 * The author of a change: a partner's application, a signed-in owner, the operator of the deployment, or the system.
 */
export type Actor =
  | { kind: 'application'; id: string }
  | { kind: 'owner'; id: string; tenantId: string }
  | { kind: 'operator' }
  | { kind: 'system' };
