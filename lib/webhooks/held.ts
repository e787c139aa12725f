import type { Db } from '@/lib/platform/db';

/** Returns the values that reset the health columns of an endpoint, so that its earlier attempts no longer count. */
export function freshHealth(now: Date) {
  return { failing: false, quietSince: now, failedDays: 0, lastFailedOn: null };
}

/**
 * Makes all held deliveries of an endpoint due immediately, and resets the endpoint's health. The oldest deliveries are
 * sent first. Call this function when an endpoint becomes active again: an owner resumes the endpoint or its
 * application, the application regains `webhooks.manage`, or the operator resumes the tenant (contract B11).
 */
export async function releaseHeld(tx: Db, now: Date, applicationId: string): Promise<void> {
  // Every transaction locks the endpoint before its deliveries, so that two transactions cannot deadlock.
  await tx.webhookEndpoint.updateMany({ where: { applicationId }, data: freshHealth(now) });
  await tx.delivery.updateMany({ where: { applicationId, state: 'pending' }, data: { nextAttemptAt: now } });
}
