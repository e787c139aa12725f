import { recordChange } from '../audit/record';
import { type Db, db } from '../db';
import type { Lease } from './lease';
import { delayAfter, readRetryAfter } from './schedule';
import type { Outcome } from './send';

/** Hours without a success after which an endpoint is disabled, if attempts failed on so many days (contract B11). */
const QUIET_HOURS = 120;
const QUIET_DAYS = 3;

type Next = { state: 'pending' | 'succeeded' | 'failed'; nextAttemptAt: Date | null };

/** Returns what becomes of a delivery after an attempt of its schedule (contract B11). */
export function nextOf(lease: Lease, { error, retryAfter }: Outcome, now: Date, random: number): Next {
  if (error === null) return { state: 'succeeded', nextAttemptAt: null };
  const delay = lease.test ? null : delayAfter(lease.scheduledAttempts + 1, readRetryAfter(retryAfter, now), random);
  if (delay === null) return { state: 'failed', nextAttemptAt: null };
  return { state: 'pending', nextAttemptAt: new Date(now.getTime() + delay) };
}

/**
 * Writes how an attempt ended: the attempt, its delivery and its endpoint's health, in one transaction. A late success
 * counts even if the lease was lost meanwhile; a late failure changes nothing but its own record.
 */
export async function recordAttempt(now: Date, lease: Lease, outcome: Outcome, random: number): Promise<void> {
  const { deliveryId, attempt, startedAt } = lease;
  await db().$transaction(async (tx) => {
    await tx.deliveryAttempt.updateMany({
      where: { deliveryId, number: attempt },
      data: {
        durationMs: now.getTime() - startedAt.getTime(),
        status: outcome.status,
        error: outcome.error,
        answer: outcome.answer,
      },
    });
    // The endpoint before its deliveries, as owners' changes take them: the other way round they would deadlock.
    if (!lease.test) await recordHealth(tx, now, lease, outcome);
    else if (outcome.status === 410) await disable(tx, now, lease, 'gone');
    await recordDelivery(tx, now, lease, outcome, random);
  });
}

async function recordDelivery(tx: Db, now: Date, lease: Lease, outcome: Outcome, random: number): Promise<void> {
  const { deliveryId: id, attempt, kind } = lease;
  const over = { leasedUntil: null, manualRequestedAt: null };
  if (outcome.error === null) {
    const scheduledAttempts = { increment: kind === 'scheduled' ? 1 : 0 };
    await tx.delivery.updateMany({
      where: { id, state: { not: 'succeeded' } },
      data: { ...over, state: 'succeeded', nextAttemptAt: null, finishedAt: now, scheduledAttempts },
    });
    return;
  }
  const mine = { id, attempts: attempt, state: { not: 'succeeded' } };
  if (kind === 'manual') {
    // The schedule, if there still is one, goes on as it was.
    await tx.delivery.updateMany({ where: mine, data: over });
    return;
  }
  const { state, nextAttemptAt } = nextOf(lease, outcome, now, random);
  const data = { ...over, state, nextAttemptAt, scheduledAttempts: { increment: 1 } };
  await tx.delivery.updateMany({ where: mine, data: { ...data, finishedAt: state === 'failed' ? now : null } });
}

async function recordHealth(tx: Db, now: Date, lease: Lease, outcome: Outcome): Promise<void> {
  const { applicationId } = lease;
  if (outcome.error === null) {
    const healthy = { failing: false, quietSince: now, failedDays: 0, lastFailedOn: null, lastSuccessAt: now };
    await tx.webhookEndpoint.updateMany({ where: { applicationId }, data: healthy });
    return;
  }
  await tx.$executeRaw`
    UPDATE webhook_endpoints SET failing = true, last_failed_on = day,
      failed_days = failed_days + CASE WHEN last_failed_on IS DISTINCT FROM day THEN 1 ELSE 0 END
    FROM (SELECT (${now}::timestamptz AT TIME ZONE 'UTC')::date AS day) AS today
    WHERE application_id = ${applicationId} AND state <> 'disabled'`;
  if (outcome.status === 410) await disable(tx, now, lease, 'gone');
  else {
    const endpoint = await tx.webhookEndpoint.findUnique({ where: { applicationId } });
    const hours = endpoint ? (now.getTime() - endpoint.quietSince.getTime()) / 3_600_000 : 0;
    if (endpoint && hours >= QUIET_HOURS && endpoint.failedDays >= QUIET_DAYS) await disable(tx, now, lease, 'failing');
  }
}

/** Disables an endpoint once; its deliveries are held until an owner enables it again. */
async function disable(tx: Db, now: Date, { applicationId, tenantId }: Lease, reason: 'gone' | 'failing') {
  const data = { state: 'disabled', stateReason: reason, changedAt: now, version: { increment: 1 } };
  const { count } = await tx.webhookEndpoint.updateMany({
    where: { applicationId, state: { not: 'disabled' } },
    data,
  });
  if (count === 0) return;
  await recordChange(tx, now, {
    tenantId,
    actor: { kind: 'system' },
    action: 'webhook.disabled',
    object: { kind: 'webhook_endpoint', id: applicationId },
    after: { state: 'disabled', reason },
  });
}
