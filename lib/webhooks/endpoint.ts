import type { Actor } from '@/lib/activity/audit/actor';
import { recordChange } from '@/lib/activity/audit/record';
import { AppError, invalidField, notFound } from '@/lib/contract/errors/app-error';
import { BOOKING_EVENT_TYPES, THIN_EVENT_TYPES } from '@/lib/contract/events';
import { type Db, db } from '@/lib/platform/db';
import type { Prisma, WebhookEndpoint } from '@/lib/platform/generated/prisma/client';
import { freshHealth, releaseHeld } from './held';
import { addSecret, MAX_OVERLAP_DAYS, rotateSecret } from './secrets';
import { checkUrl, type UrlRules } from './url';

/** The types that an owner can select (contract B11, B17). */
export const EVENT_TYPES = [...BOOKING_EVENT_TYPES, ...THIN_EVENT_TYPES] as const;

export type EventType = (typeof EVENT_TYPES)[number];

export type EndpointTarget = { tenantId: string; actor: Actor; applicationId: string };

export type EndpointInput = { url: string; eventTypes: readonly EventType[] };

/**
 * Creates an application's endpoint. Returns its secret, which is not shown again.
 * @throws AppError not_found if the application does not exist or lacks `webhooks.manage`; invalid_request if a field
 * is invalid; version_conflict if the application already has an endpoint.
 */
export async function createEndpoint(
  now: Date,
  target: EndpointTarget,
  input: EndpointInput,
  rules: UrlRules,
): Promise<{ secret: string }> {
  const columns = await checked(input, rules);
  return db().$transaction(async (tx) => {
    const { tenantId, applicationId } = target;
    await requireManaged(tx, target);
    const { count } = await tx.webhookEndpoint.createMany({
      data: { ...columns, tenantId, applicationId, changedAt: now, quietSince: now, createdAt: now },
      skipDuplicates: true,
    });
    if (count === 0) throw new AppError('version_conflict', { message: 'The application already has an endpoint.' });
    const secret = await addSecret(tx, now, applicationId);
    await audit(tx, now, target, 'webhook.created', null, { ...auditable(columns) });
    return { secret };
  });
}

/** Changes an endpoint, also for held deliveries. @throws AppError not_found, invalid_request, or version_conflict. */
export async function updateEndpoint(
  now: Date,
  target: EndpointTarget & { expectedVersion: number },
  input: EndpointInput,
  rules: UrlRules,
): Promise<WebhookEndpoint> {
  const columns = await checked(input, rules);
  return change(now, target, 'webhook.changed', async (_tx, before) => {
    if (before.version !== target.expectedVersion) throw new AppError('version_conflict');
    const data = before.url === columns.url ? columns : { ...columns, ...freshHealth(now) };
    return { data, before: auditable(before), after: auditable(columns) };
  });
}

/** Pauses an endpoint. Only test events are sent. @throws AppError not_found; endpoint_not_active. */
export async function pauseEndpoint(now: Date, target: EndpointTarget): Promise<WebhookEndpoint> {
  return change(now, target, 'webhook.paused', async (_, before) => {
    if (before.state !== 'active') throw new AppError('endpoint_not_active');
    return transition(now, before, { state: 'paused', stateReason: 'owner' });
  });
}

/** Resumes an endpoint. Held deliveries become due. @throws AppError not_found; version_conflict if it is active. */
export async function resumeEndpoint(now: Date, target: EndpointTarget): Promise<WebhookEndpoint> {
  return change(now, target, 'webhook.resumed', async (tx, before) => {
    if (before.state === 'active') throw new AppError('version_conflict');
    await releaseHeld(tx, now, target.applicationId);
    return transition(now, before, { state: 'active', stateReason: null });
  });
}

/** Rotates the secret and returns the new one, once. @throws AppError not_found; invalid_request; too_many_secrets. */
export async function rotateEndpointSecret(
  now: Date,
  target: EndpointTarget & { overlapDays: number },
): Promise<{ secret: string }> {
  const { overlapDays } = target;
  if (!Number.isInteger(overlapDays) || overlapDays < 0 || overlapDays > MAX_OVERLAP_DAYS)
    throw invalidField('overlap_days', 'must be a whole number from 0 to 7');
  let secret = '';
  await change(now, target, 'webhook.secret_rotated', async (tx) => {
    secret = await rotateSecret(tx, now, target.applicationId, overlapDays);
    return { data: {}, before: {}, after: { overlap_days: overlapDays } };
  });
  return { secret };
}

type Change = {
  data: Prisma.WebhookEndpointUpdateInput;
  before: Prisma.InputJsonObject;
  after: Prisma.InputJsonObject;
};

async function change(
  now: Date,
  target: EndpointTarget,
  action: string,
  decide: (tx: Db, before: WebhookEndpoint) => Promise<Change>,
): Promise<WebhookEndpoint> {
  return db().$transaction(async (tx) => {
    const endpoint = await lockEndpoint(tx, target);
    const { data, before, after } = await decide(tx, endpoint);
    const updated = await tx.webhookEndpoint.update({
      where: { applicationId: target.applicationId },
      data: { ...data, version: { increment: 1 } },
    });
    await audit(tx, now, target, action, before, after);
    return updated;
  });
}

function transition(
  now: Date,
  before: WebhookEndpoint,
  data: Prisma.WebhookEndpointUpdateInput & { state: string },
): Change {
  const changedAt = { changedAt: now };
  return { data: { ...data, ...changedAt }, before: { state: before.state }, after: { state: data.state } };
}

/** Locks an endpoint's row and returns it. @throws AppError not_found, also without `webhooks.manage`. */
export async function lockEndpoint(tx: Db, target: EndpointTarget): Promise<WebhookEndpoint> {
  await requireManaged(tx, target);
  const { tenantId, applicationId } = target;
  await tx.$queryRaw`
    SELECT 1 FROM webhook_endpoints WHERE application_id = ${applicationId} AND tenant_id = ${tenantId} FOR UPDATE`;
  const endpoint = await tx.webhookEndpoint.findFirst({ where: { applicationId, tenantId } });
  if (!endpoint) throw notFound();
  return endpoint;
}

/** Checks the scope `webhooks.manage` (contract B11). @throws AppError not_found, also without the application. */
export async function requireManaged(
  tx: Db,
  { tenantId, applicationId }: Omit<EndpointTarget, 'actor'>,
): Promise<void> {
  const where = { id: applicationId, tenantId, scopes: { has: 'webhooks.manage' } };
  if ((await tx.application.count({ where })) === 0) throw notFound();
}

async function checked(input: EndpointInput, rules: UrlRules): Promise<{ url: string; eventTypes: EventType[] }> {
  const eventTypes = EVENT_TYPES.filter((type) => input.eventTypes.includes(type));
  if (eventTypes.length === 0) throw invalidField('event_types', 'must contain at least one event type');
  return { url: await checkUrl(input.url.trim(), rules), eventTypes };
}

/** Without the path and query of the URL, which may contain a secret. */
function auditable({ url, eventTypes }: { url: string; eventTypes: string[] }): Prisma.InputJsonObject {
  return { origin: new URL(url).origin, event_types: eventTypes };
}

async function audit(
  tx: Db,
  now: Date,
  { tenantId, actor, applicationId }: EndpointTarget,
  action: string,
  before: Prisma.InputJsonObject | null,
  after: Prisma.InputJsonObject,
): Promise<void> {
  const object = { kind: 'webhook_endpoint', id: applicationId };
  await recordChange(tx, now, { tenantId, actor, action, object, after, ...(before ? { before } : {}) });
}
