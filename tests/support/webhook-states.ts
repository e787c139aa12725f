import { db } from '@/lib/platform/db';

/** Pauses an endpoint behind the domain's back: what is emitted then is held until a test has made of it what it needs. */
export async function makePaused(applicationId: string): Promise<void> {
  await db().webhookEndpoint.update({ where: { applicationId }, data: { state: 'paused', stateReason: 'owner' } });
}

/** Makes deliveries fail for good, as after three days without luck. */
export async function makeFailed(applicationId: string, ids: string[]): Promise<void> {
  const spent = { state: 'failed', nextAttemptAt: null, scheduledAttempts: 10, attempts: 10, finishedAt: new Date() };
  await db().delivery.updateMany({ where: { applicationId, id: { in: ids } }, data: spent });
}
