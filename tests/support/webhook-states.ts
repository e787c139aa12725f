import { db } from '@/lib/platform/db';

/** Later deliveries are held. */
export async function makePaused(applicationId: string): Promise<void> {
  await db().webhookEndpoint.update({ where: { applicationId }, data: { state: 'paused', stateReason: 'owner' } });
}

/** After ten failed attempts. */
export async function makeFailed(applicationId: string, ids: string[]): Promise<void> {
  const failed = { state: 'failed', nextAttemptAt: null, scheduledAttempts: 10, attempts: 10, finishedAt: new Date() };
  await db().delivery.updateMany({ where: { applicationId, id: { in: ids } }, data: failed });
}
