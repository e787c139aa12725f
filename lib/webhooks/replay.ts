import { recordChange } from '@/lib/activity/audit/record';
import { AppError, invalidField, notFound } from '@/lib/contract/errors/app-error';
import { type Db, db } from '@/lib/platform/db';
import type { WebhookEndpoint } from '@/lib/platform/generated/prisma/client';
import { newId } from '@/lib/platform/ids';
import { type EndpointTarget, lockEndpoint, requireManaged } from './endpoint';

/** Of the deliveries in a replay (contract B11). */
export const MAX_REPLAY_DAYS = 14;
/** Deliveries in a replay (contract B11). */
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
 * Requests one manual attempt of a delivery, with the same event and delivery id (contract B11). Its schedule stays the
 * same.
 * @throws AppError not_found; invalid_request for a test event; endpoint_not_active; attempt_under_way.
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
      // The end of a running attempt would clear `manualRequestedAt`.
      where: { id: deliveryId, OR: [{ leasedUntil: null }, { leasedUntil: { lte: now } }] },
      data: { manualRequestedAt: now, manualById: userId },
    });
    if (count === 0) throw new AppError('attempt_under_way');
    const object = { kind: 'delivery', id: deliveryId };
    await recordChange(tx, now, { tenantId, actor, action: 'webhook.replayed', object });
  });
}

/** Oldest first, at most `MAX_REPLAY` + 1, without test events and requested manual attempts. */
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

/** Returns how many deliveries a replay would send, or `more`. @throws AppError not_found; invalid_request (`since`). */
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
  // A delivery waits for the replay while its `manual_requested_at` equals the replay's `created_at`. A replay of this
  // delivery alone changes that.
  const waiting = await tx.$queryRaw<unknown[]>`
    SELECT FROM deliveries d JOIN webhook_replays r ON r.id = d.replay_id
    WHERE d.application_id = ${applicationId} AND d.manual_requested_at = r.created_at AND r.stopped_at IS NULL LIMIT 1`;
  return waiting.length > 0;
}

/**
 * Requests one manual attempt of each failed delivery since `since`, of the oldest 10,000. One replay at a time.
 * @throws AppError not_found; invalid_request for `since`, or without a failed delivery; endpoint_not_active;
 * replay_running.
 */
export async function replayFailed(now: Date, by: By, since: Date): Promise<{ id: string; total: number }> {
  checkSince(now, since);
  const { tenantId, applicationId, actor, userId } = by;
  return db().$transaction(async (tx) => {
    await requireActive(tx, await lockEndpoint(tx, by));
    // The page can show and stop only one replay.
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

/** Stops a replay: cancels the attempts that have not started. @throws AppError not_found if none is running. */
export async function stopReplay(now: Date, target: EndpointTarget, replayId: string): Promise<void> {
  const { tenantId, applicationId, actor } = target;
  await db().$transaction(async (tx) => {
    await lockEndpoint(tx, target);
    const { count } = await tx.webhookReplay.updateMany({
      where: { id: replayId, applicationId, stoppedAt: null },
      data: { stoppedAt: now },
    });
    if (count === 0) throw notFound();
    await tx.delivery.updateMany({
      where: { replayId, manualRequestedAt: { not: null }, OR: [{ leasedUntil: null }, { leasedUntil: { lte: now } }] },
      data: { manualRequestedAt: null },
    });
    const object = { kind: 'webhook_endpoint', id: applicationId };
    await recordChange(tx, now, { tenantId, actor, action: 'webhook.replay_stopped', object });
  });
}

/** Returns the progress of the newest replay, or null. @throws AppError as `requireManaged`. */
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
