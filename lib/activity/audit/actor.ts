export type Actor =
  | { kind: 'application'; id: string }
  | { kind: 'owner'; id: string; tenantId: string }
  | { kind: 'operator' }
  | { kind: 'system' };
