import type { Db } from '@/lib/platform/db';

/** Returns the health of an endpoint of which nothing is known yet. */
export function freshHealth(now: Date) {
  return { failing: false, quietSince: now, failedDays: 0, lastFailedOn: null };
}

/**
 * Makes everything that was held due at once; oldest first, since ids sort by time. Called whenever an endpoint
 * becomes active again, also by its application being resumed or given its scope back (contract B11). Its hours without
 * a success begin anew: in those that are over nothing could succeed.
 */
export async function releaseHeld(tx: Db, now: Date, applicationId: string): Promise<void> {
  // Before its deliveries, as everybody locks them.
  await tx.webhookEndpoint.updateMany({ where: { applicationId }, data: freshHealth(now) });
  await tx.delivery.updateMany({
    where: { applicationId, state: 'pending' },
    data: { nextAttemptAt: now, handedAt: null },
  });
  await tx.delivery.updateMany({
    where: { applicationId, manualRequestedAt: { not: null } },
    data: { handedAt: null },
  });
}
