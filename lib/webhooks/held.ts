import type { Db } from '../db';

/**
 * Makes everything that was held due at once; oldest first, since ids sort by time. Called whenever an endpoint
 * becomes active again, also by its application being resumed or given its scope back (contract B11).
 */
export async function releaseHeld(tx: Db, now: Date, applicationId: string): Promise<void> {
  await tx.delivery.updateMany({
    where: { applicationId, state: 'pending' },
    data: { nextAttemptAt: now, handedAt: null },
  });
  await tx.delivery.updateMany({
    where: { applicationId, manualRequestedAt: { not: null } },
    data: { handedAt: null },
  });
}
