import { changeRetention, readRetention } from '@/lib/operations/retention/settings';

/** Audited, because the change would otherwise be refused. */
export async function setLogDays(tenantId: string, days: number): Promise<void> {
  const settings = await readRetention(tenantId);
  const by = { tenantId, actor: { kind: 'operator' } as const };
  await changeRetention(new Date(), by, { ...settings, request_log_days: days });
}
