import type { Db } from '@/lib/platform/db';

/** Returns the health columns of an endpoint without attempts. */
export function freshHealth(now: Date) {
  return { failing: false, quietSince: now, failedDays: 0, lastFailedOn: null };
}

/**
 * Makes all held deliveries of an endpoint due at once; ids sort by time, so the oldest comes first. Called when an
 * endpoint becomes active again, also because its application is resumed or regains the scope (contract B11). The time
 * without a success restarts, because no attempt could succeed while the endpoint was not active.
 */
export async function releaseHeld(tx: Db, now: Date, applicationId: string): Promise<void> {
  // The endpoint is locked before its deliveries, as everywhere.
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
