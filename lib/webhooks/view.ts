import { db } from '@/lib/platform/db';
import type { WebhookEndpoint } from '@/lib/platform/generated/prisma/client';
import type { EndpointTarget, EventType } from './endpoint';
import { requireManaged } from './endpoint';
import { isFailing } from './failing';
import { MAX_LIVE_SECRETS } from './secrets';

const DAY = 86_400_000;

export const ENDPOINT_STATES = ['active', 'paused', 'disabled'] as const;
export const INACTIVE_REASONS = ['owner', 'gone', 'failing', 'suspended', 'scope'] as const;

export type EndpointState = (typeof ENDPOINT_STATES)[number];
export type InactiveReason = (typeof INACTIVE_REASONS)[number];

export const APPLICATION_STATE = {
  suspendedAt: true,
  scopes: true,
  tenant: { select: { suspendedAt: true } },
} as const;

/** Returns the effective state (contract B11): paused while suspended or without `webhooks.manage`, unless disabled. */
export function effectiveState(
  endpoint: Pick<WebhookEndpoint, 'state' | 'stateReason'>,
  application: { suspendedAt: Date | null; scopes: readonly string[]; tenant?: { suspendedAt: Date | null } },
): { state: EndpointState; reason: InactiveReason | null } {
  if (endpoint.state === 'disabled') return { state: 'disabled', reason: endpoint.stateReason as InactiveReason };
  if (!application.scopes.includes('webhooks.manage')) return { state: 'paused', reason: 'scope' };
  if (application.suspendedAt ?? application.tenant?.suspendedAt) return { state: 'paused', reason: 'suspended' };
  if (endpoint.state === 'paused') return { state: 'paused', reason: 'owner' };
  return { state: 'active', reason: null };
}

export type EndpointView = {
  url: string;
  event_types: EventType[];
  state: EndpointState;
  reason: InactiveReason | null;
  changed_at: Date;
  last_success_at: Date | null;
  /** See `isFailing`. */
  failing: boolean;
  version: number;
  secrets: { number: number; created_at: Date; expires_at: Date | null }[];
  max_secrets: number;
  /** Attempts of the last 24 hours that have ended. None of these counts includes test events. */
  attempts_24h: number;
  succeeded_24h: number;
  pending: number;
  failed: number;
  /** Null if no delivery is held. */
  oldest_held_at: Date | null;
};

/** Returns an application's endpoint, or null. @throws AppError as `requireManaged`. */
export async function readEndpoint(now: Date, scope: Omit<EndpointTarget, 'actor'>): Promise<EndpointView | null> {
  await requireManaged(db(), scope);
  const { applicationId, tenantId } = scope;
  const endpoint = await db().webhookEndpoint.findFirst({
    where: { applicationId, tenantId },
    include: {
      secrets: {
        where: { OR: [{ expiresAt: null }, { expiresAt: { gt: now } }] },
        select: { number: true, createdAt: true, expiresAt: true },
        orderBy: { number: 'desc' },
      },
      application: { select: APPLICATION_STATE },
    },
  });
  if (!endpoint) return null;
  const { state, reason } = effectiveState(endpoint, endpoint.application);
  const figures = await figuresOf(now, applicationId, state);
  return {
    url: endpoint.url,
    event_types: endpoint.eventTypes as EventType[],
    state,
    reason,
    changed_at: endpoint.changedAt,
    last_success_at: endpoint.lastSuccessAt,
    version: endpoint.version,
    secrets: endpoint.secrets.map(({ number, createdAt, expiresAt }) => ({
      number,
      created_at: createdAt,
      expires_at: expiresAt,
    })),
    max_secrets: MAX_LIVE_SECRETS,
    ...figures,
    failing: isFailing(state, figures.attempts_24h, figures.succeeded_24h, endpoint.failing),
  };
}

async function figuresOf(now: Date, applicationId: string, state: EndpointState) {
  const since = new Date(now.getTime() - DAY);
  const ended = { delivery: { applicationId, test: false }, startedAt: { gte: since }, durationMs: { not: null } };
  const pending = { applicationId, state: 'pending', test: false };
  const [attempts, succeeded, pendingCount, failed, oldest] = await Promise.all([
    db().deliveryAttempt.count({ where: ended }),
    db().deliveryAttempt.count({ where: { ...ended, error: null } }),
    db().delivery.count({ where: pending }),
    db().delivery.count({ where: { applicationId, state: 'failed', test: false } }),
    state === 'active'
      ? null
      : db().delivery.findFirst({ where: pending, orderBy: { id: 'asc' }, select: { createdAt: true } }),
  ]);
  return {
    attempts_24h: attempts,
    succeeded_24h: succeeded,
    pending: pendingCount,
    failed,
    oldest_held_at: oldest?.createdAt ?? null,
  };
}

export type DisabledEndpoint = {
  application: { id: string; name: string };
  reason: 'gone' | 'failing';
  disabled_at: Date;
  held: number;
};

/** Returns up to 20 disabled endpoints of a tenant, for the overview and the banner on every page. */
export async function disabledEndpoints(tenantId: string): Promise<DisabledEndpoint[]> {
  const endpoints = await db().webhookEndpoint.findMany({
    where: { tenantId, state: 'disabled', application: { scopes: { has: 'webhooks.manage' } } },
    include: { application: { select: { id: true, name: true } } },
    orderBy: { changedAt: 'asc' },
    take: 20,
  });
  return Promise.all(
    endpoints.map(async ({ application, stateReason, changedAt, applicationId }) => ({
      application,
      reason: stateReason as 'gone' | 'failing',
      disabled_at: changedAt,
      held: await db().delivery.count({ where: { applicationId, state: 'pending', test: false } }),
    })),
  );
}
