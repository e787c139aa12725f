import type { Db } from '@/lib/platform/db';

/** Returns the values with which an endpoint's earlier attempts no longer count. */
export function freshHealth(now: Date) {
  return { failing: false, quietSince: now, failedDays: 0, lastFailedOn: null, failedFirsts: 0 };
}

/**
 * Makes the held deliveries of an endpoint due, oldest first, and resets its health. Call this when an endpoint becomes
 * active again: an owner resumes it or its application, the application regains `webhooks.manage`, or the operator
 * resumes the tenant (contract B11).
 */
export async function releaseHeld(tx: Db, now: Date, applicationId: string): Promise<void> {
  // Every transaction locks the endpoint before its deliveries, so that two cannot deadlock.
  await tx.webhookEndpoint.updateMany({ where: { applicationId }, data: freshHealth(now) });
  await tx.delivery.updateMany({ where: { applicationId, state: 'pending' }, data: { nextAttemptAt: now } });
}
