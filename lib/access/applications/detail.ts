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
