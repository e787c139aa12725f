import { SCOPES } from '@/lib/contract/common';
import { notFound } from '@/lib/contract/errors/app-error';
import { db } from '@/lib/platform/db';
import { env } from '@/lib/platform/env';
import type { Prisma } from '@/lib/platform/generated/prisma/client';
import { totalOf, trafficByKey, windowStart } from './traffic';

/** Without secrets. */
export type ApplicationDetail = {
  id: string;
  name: string;
  suspended_at: Date | null;
  created_at: Date;
  version: number;
  scopes: string[];
  all_locations: boolean;
  location_ids: string[];
  origins: string[];
  networks: string[];
  quota: number;
  agents_ask: boolean;
  own_system: boolean;
  /** By which its clock is ahead of real time (contract B20). 0 in LIVE. */
  clock_offset_seconds: number;
  keys_in_use: number;
  last_request_at: Date | null;
  requests_24h: number;
  errors_24h: number;
};

/** Returns the Prisma filter for keys that are valid at `now`. */
export function inUse(now: Date): Prisma.ApiKeyWhereInput {
  return {
    revokedAt: null,
    AND: [
      { OR: [{ expiresAt: null }, { expiresAt: { gt: now } }] },
      { OR: [{ overlapEndsAt: null }, { overlapEndsAt: { gt: now } }] },
    ],
  };
}

/** Returns an application with its traffic in the last 24 hours. @throws AppError not_found. */
export async function readApplication(now: Date, tenantId: string, id: string): Promise<ApplicationDetail> {
  const application = await db().application.findFirst({
    where: { id, tenantId },
    include: { locations: { select: { locationId: true } } },
  });
  if (!application) throw notFound();
  const [keysInUse, last, traffic] = await Promise.all([
    db().apiKey.count({ where: { applicationId: id, ...inUse(now) } }),
    db().apiKey.aggregate({ where: { applicationId: id }, _max: { lastUsedAt: true } }),
    trafficByKey(tenantId, id, windowStart(now)),
  ]);
  const { requests, errors } = totalOf(traffic);
  return {
    id,
    name: application.name,
    suspended_at: application.suspendedAt,
    created_at: application.createdAt,
    version: application.version,
    scopes: SCOPES.filter((scope) => application.scopes.includes(scope)),
    all_locations: application.allLocations,
    location_ids: application.locations.map(({ locationId }) => locationId).sort(),
    origins: application.origins,
    networks: application.networks,
    quota: application.quota,
    agents_ask: application.agentsAsk,
    own_system: application.ownSystem,
    clock_offset_seconds: env().ENVIRONMENT === 'TEST' ? application.clockOffsetSeconds : 0,
    keys_in_use: keysInUse,
    last_request_at: last._max.lastUsedAt,
    requests_24h: requests,
    errors_24h: errors,
  };
}

const MAX_CHANGES = 20;

export type ApplicationChange = { at: Date; by: string; action: string; fields: string[] };

/**
 * Returns an application's changes since a version, newest first, at most `MAX_CHANGES`. Every change increments the
 * version and writes one audit entry, so the newest `application.version - version` entries are these changes.
 * @throws AppError not_found if the tenant has no such application.
 */
export async function changesSince(
  tenantId: string,
  applicationId: string,
  version: number,
): Promise<ApplicationChange[]> {
  const application = await db().application.findFirst({
    where: { id: applicationId, tenantId },
    select: { version: true },
  });
  if (!application) throw notFound();
  const take = Math.min(Math.max(application.version - version, 0), MAX_CHANGES);
  if (take === 0) return [];
  const entries = await db().auditLog.findMany({
    where: { tenantId, objectKind: 'application', objectId: applicationId },
    orderBy: [{ at: 'desc' }, { id: 'desc' }],
    take,
  });
  const names = await userNames(entries.map(({ actorKind, actorId }) => (actorKind === 'owner' ? actorId : null)));
  return entries.map(({ at, action, actorId, before, after }) => ({
    at,
    by: names.get(actorId ?? '') ?? 'The system',
    action,
    fields: changedFields(before, after),
  }));
}

function changedFields(before: unknown, after: unknown): string[] {
  const [old, now] = [before, after].map((value) => (typeof value === 'object' && value !== null ? value : {}));
  const was = new Map(Object.entries(old ?? {}));
  return Object.entries(now ?? {}).flatMap(([name, value]) =>
    JSON.stringify(was.get(name)) === JSON.stringify(value) ? [] : [name],
  );
}

/** Returns the names of users by their ids. */
export async function userNames(ids: readonly (string | null)[]): Promise<ReadonlyMap<string, string>> {
  const where = { id: { in: [...new Set(ids.filter((id) => id !== null))] } };
  const users = await db().user.findMany({ where, select: { id: true, name: true } });
  return new Map(users.map(({ id, name }) => [id, name]));
}
