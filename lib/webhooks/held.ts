import type { Db } from '@/lib/platform/db';

/**
 * Returns the health columns of an endpoint whose health starts over at `now`, so that earlier attempts no longer
 * count.
 */
export function freshHealth(now: Date) {
  return { failing: false, quietSince: now, failedDays: 0, lastFailedOn: null };
}

/**
 * Makes all held deliveries of an endpoint due immediately. Deliveries with the same due time are sent in the order of
 * their ids, so the oldest delivery is sent first.
 *
 * Call this function when an endpoint becomes active again, which happens when an owner resumes the endpoint or its
 * application, when the application regains the scope `webhooks.manage`, or when the operator resumes the tenant
 * (contract B11). The function also resets the endpoint's health, because no attempt could succeed while the endpoint
 * was not active.
 */
export async function releaseHeld(tx: Db, now: Date, applicationId: string): Promise<void> {
  // Every transaction locks the endpoint before its deliveries, so that two transactions cannot deadlock.
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
