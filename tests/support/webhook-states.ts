import { db } from '@/lib/platform/db';

/** Pauses an endpoint directly in the database, so that the deliveries of later events are held. */
export async function makePaused(applicationId: string): Promise<void> {
  await db().webhookEndpoint.update({ where: { applicationId }, data: { state: 'paused', stateReason: 'owner' } });
}

/** Sets deliveries to the state that they have after ten failed attempts. */
export async function makeFailed(applicationId: string, ids: string[]): Promise<void> {
  const failed = { state: 'failed', nextAttemptAt: null, scheduledAttempts: 10, attempts: 10, finishedAt: new Date() };
  await db().delivery.updateMany({ where: { applicationId, id: { in: ids } }, data: failed });
}
