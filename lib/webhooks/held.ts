import type { Db } from '@/lib/platform/db';

/** Returns the health columns of an endpoint that has had no attempts since `now`. */
export function freshHealth(now: Date) {
  return { failing: false, quietSince: now, failedDays: 0, lastFailedOn: null };
}

/**
 * Makes all held deliveries of an endpoint due immediately. They are sent oldest first, because ids sort by creation
 * time. Called when an endpoint becomes active again, including when its application is resumed or regains the scope
 * (contract B11). The time without a success restarts, because no attempt could succeed while the endpoint was not
 * active.
 */
export async function releaseHeld(tx: Db, now: Date, applicationId: string): Promise<void> {
  // Like every other transaction, this one locks the endpoint before its deliveries, so that they cannot deadlock.
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
