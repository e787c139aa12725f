/** The author of a change: a partner's application, a signed-in owner, or the system. */
export type Actor =
  | { kind: 'application'; id: string }
  | { kind: 'owner'; id: string; tenantId: string }
  | { kind: 'system' };
