import { recordChange } from '@/lib/activity/audit/record';
import { AppError, invalidField, notFound } from '@/lib/contract/errors/app-error';
import { type Db, db } from '@/lib/platform/db';
import type { WebhookEndpoint } from '@/lib/platform/generated/prisma/client';
import { newId } from '@/lib/platform/ids';
import { type EndpointTarget, lockEndpoint, requireManaged } from './endpoint';

/** The maximum age in days of the deliveries in a replay (contract B11). */
export const MAX_REPLAY_DAYS = 14;
/** The maximum number of deliveries in a replay (contract B11). */
export const MAX_REPLAY = 10_000;

const DAY = 86_400_000;

const TEST_NOT_REPLAYED = 'Test events cannot be replayed. Send another test event instead.';

type By = EndpointTarget & { userId: string };

export type ReplayProgress = { id: string; since: Date; created_at: Date; stopped_at: Date | null } & {
  total: number;
  waiting: number;
  succeeded: number;
};

async function requireActive(tx: Db, endpoint: WebhookEndpoint): Promise<void> {
  const application = await tx.application.findUniqueOrThrow({
    where: { id: endpoint.applicationId },
    include: { tenant: { select: { suspendedAt: true } } },
  });
  if (endpoint.state !== 'active' || (application.suspendedAt ?? application.tenant.suspendedAt) !== null)
    throw new AppError('endpoint_not_active');
}

/**
 * Requests one manual attempt of a delivery (contract B11). The attempt has the same event id and delivery id as the
 * earlier attempts, and the next attempt number. The delivery's schedule stays the same.
 * @throws AppError not_found if the delivery does not exist; invalid_request if it is a test event's delivery;
 *   endpoint_not_active if its endpoint is not active; attempt_under_way if an attempt is running.
 */
export async function replayDelivery(now: Date, by: By, deliveryId: string): Promise<void> {
  const { tenantId, applicationId, actor, userId } = by;
  await db().$transaction(async (tx) => {
    const endpoint = await lockEndpoint(tx, by);
    const delivery = await tx.delivery.findFirst({ where: { id: deliveryId, applicationId } });
    if (!delivery) throw notFound();
    if (delivery.test) throw new AppError('invalid_request', { message: TEST_NOT_REPLAYED });
    await requireActive(tx, endpoint);
    const { count } = await tx.delivery.updateMany({
      // A delivery with a running attempt is excluded, because the end of that attempt would clear
      // `manualRequestedAt`.
      where: { id: deliveryId, OR: [{ leasedUntil: null }, { leasedUntil: { lte: now } }] },
      data: { manualRequestedAt: now, manualById: userId },
    });
    if (count === 0) throw new AppError('attempt_under_way');
    const object = { kind: 'delivery', id: deliveryId };
    await recordChange(tx, now, { tenantId, actor, action: 'webhook.replayed', object });
  });
}

/**
 * Returns the failed deliveries since `since`, oldest first, except deliveries of test events and deliveries with a
 * requested manual attempt. Returns at most `MAX_REPLAY` + 1 deliveries. If it returns this number, there are too many
 * for one replay.
 */
function failedSince(tx: Db, applicationId: string, since: Date): Promise<{ id: string }[]> {
  return tx.delivery.findMany({
    where: { applicationId, state: 'failed', test: false, createdAt: { gte: since }, manualRequestedAt: null },
    select: { id: true },
    orderBy: { id: 'asc' },
    take: MAX_REPLAY + 1,
  });
}

function checkSince(now: Date, since: Date): void {
  const earliest = now.getTime() - MAX_REPLAY_DAYS * DAY;
  if (since > now || since.getTime() < earliest - 60_000)
    throw invalidField('since', 'must be within the last 14 days');
}

/**
 * Returns how many deliveries a replay would send. `more` states whether there are more failed deliveries than one
 * replay can send.
 * @throws AppError not_found if the application does not exist or lacks `webhooks.manage`; invalid_request if
 * `since` is too old or in the future.
 */
export async function countReplay(
  now: Date,
  scope: Omit<EndpointTarget, 'actor'>,
  since: Date,
): Promise<{ count: number; more: boolean }> {
  checkSince(now, since);
  await requireManaged(db(), scope);
  const found = await failedSince(db(), scope.applicationId, since);
  return { count: Math.min(found.length, MAX_REPLAY), more: found.length > MAX_REPLAY };
}

async function isReplaying(tx: Db, applicationId: string): Promise<boolean> {
  // A replay is running while a delivery waits for the attempt that the replay requested. While the delivery waits, its
  // `manual_requested_at` equals the replay's `created_at`. If this delivery is also replayed on its own,
  // `manual_requested_at` changes, and the replay no longer waits for it.
  const waiting = await tx.$queryRaw<unknown[]>`
    SELECT FROM deliveries d JOIN webhook_replays r ON r.id = d.replay_id
    WHERE d.application_id = ${applicationId} AND d.manual_requested_at = r.created_at AND r.stopped_at IS NULL LIMIT 1`;
  return waiting.length > 0;
}

/**
 * Starts a replay: requests one manual attempt of each delivery that `failedSince` returns. If there are more than
 * 10,000, only the oldest 10,000 are replayed. An endpoint can have one replay at a time. Returns the replay's id and
 * its number of deliveries.
 * @throws AppError not_found if the endpoint does not exist; invalid_request if `since` is invalid or there is no
 *   failed delivery; endpoint_not_active if the endpoint is not active; replay_running if a replay is running.
 */
export async function replayFailed(now: Date, by: By, since: Date): Promise<{ id: string; total: number }> {
  checkSince(now, since);
  const { tenantId, applicationId, actor, userId } = by;
  return db().$transaction(async (tx) => {
    await requireActive(tx, await lockEndpoint(tx, by));
    // A second replay is refused, because the page can show and stop only one replay.
    if (await isReplaying(tx, applicationId)) throw new AppError('replay_running');
    const ids = (await failedSince(tx, applicationId, since)).slice(0, MAX_REPLAY).map(({ id }) => id);
    if (ids.length === 0)
      throw invalidField('since', 'must be earlier: no failed delivery was created after this time');
    const id = newId('rpl');
    const total = ids.length;
    await tx.webhookReplay.create({
      data: { id, tenantId, applicationId, since, total, createdById: userId, createdAt: now },
    });
    await tx.delivery.updateMany({
      where: { id: { in: ids } },
      data: { manualRequestedAt: now, manualById: userId, replayId: id },
    });
    const object = { kind: 'webhook_endpoint', id: applicationId };
    const after = { since: since.toISOString(), deliveries: total };
    await recordChange(tx, now, { tenantId, actor, action: 'webhook.replay_started', object, after });
    return { id, total };
  });
}

/**
 * Stops a replay: cancels the attempts that have not started.
 * @throws AppError not_found if the endpoint does not exist, or if no replay with this id is running.
 */
export async function stopReplay(now: Date, target: EndpointTarget, replayId: string): Promise<void> {
  const { tenantId, applicationId, actor } = target;
  await db().$transaction(async (tx) => {
    await lockEndpoint(tx, target);
    const { count } = await tx.webhookReplay.updateMany({
      where: { id: replayId, applicationId, stoppedAt: null },
      data: { stoppedAt: now },
    });
    if (count === 0) throw notFound();
    // A running attempt is not canceled.
    await tx.delivery.updateMany({
      where: { replayId, manualRequestedAt: { not: null }, OR: [{ leasedUntil: null }, { leasedUntil: { lte: now } }] },
      data: { manualRequestedAt: null },
    });
    const object = { kind: 'webhook_endpoint', id: applicationId };
    await recordChange(tx, now, { tenantId, actor, action: 'webhook.replay_stopped', object });
  });
}

/**
 * Returns the progress of an application's newest replay, or null if the application has no replay.
 * @throws AppError not_found if the application does not exist or lacks `webhooks.manage`.
 */
export async function replayProgress(scope: Omit<EndpointTarget, 'actor'>): Promise<ReplayProgress | null> {
  await requireManaged(db(), scope);
  const { applicationId, tenantId } = scope;
  const replay = await db().webhookReplay.findFirst({
    where: { applicationId, tenantId },
    orderBy: { createdAt: 'desc' },
  });
  if (!replay) return null;
  const [waiting, succeeded] = await Promise.all([
    db().delivery.count({ where: { replayId: replay.id, manualRequestedAt: { not: null } } }),
    db().delivery.count({ where: { replayId: replay.id, state: 'succeeded' } }),
  ]);
  const { id, since, createdAt: created_at, stoppedAt: stopped_at, total } = replay;
  return { id, since, created_at, stopped_at, total, waiting, succeeded };
}
