import type { Scope } from '@/lib/contract/common';
import { batched } from '@/lib/platform/batch';
import { type Cache, createCache } from '@/lib/platform/cache';
import { db, pool } from '@/lib/platform/db';
import { env } from '@/lib/platform/env';
import { singleton } from '@/lib/platform/singleton';
import { type Networks, parseNetworks } from './networks';

export type Policy = {
  keyId: string;
  /** Epoch milliseconds: the expiry or the end of the overlap, whichever is earlier. Null if the key has neither. */
  endsAt: number | null;
  revoked: boolean;
  applicationId: string;
  tenantId: string;
  /** To another deployment, by the operator. */
  moving: boolean;
  /** Milliseconds by which the application's clock is ahead of real time (contract B20). 0 in LIVE. */
  clockOffset: number;
  /** The application or its tenant. */
  suspended: boolean;
  scopes: ReadonlySet<Scope>;
  allLocations: boolean;
  locationIds: ReadonlySet<string>;
  /** As one string, or `*` for all. Applications with the same locations share cached data by it. */
  locationKey: string;
  /** An empty set allows every origin. */
  origins: ReadonlySet<string>;
  /** Null allows every network. */
  networks: Networks | null;
  /** Requests in 60 seconds. */
  quota: number;
  /** Requests of all applications of the tenant in 60 seconds. Null means no limit. */
  tenantQuota: number | null;
};

/** What decides which locations an application may use. */
export type AllowedLocations = Pick<Policy, 'allLocations' | 'locationIds' | 'locationKey'>;

/** One per key, of about 1 KB. */
const MAX_POLICIES = 20_000;

/** Anyone can send many well-formed keys that do not exist. A query for each would occupy all connections. */
const isKey = batched<string, boolean>(async (hashes) => {
  const { rows } = await pool().query<{ hash: Buffer }>(
    'SELECT key_hash AS hash FROM api_keys WHERE key_hash = ANY ($1)',
    [hashes.map((hash) => Buffer.from(hash, 'base64'))],
  );
  const found = new Set(rows.map((row) => row.hash.toString('base64')));
  return hashes.map((hash) => found.has(hash));
});

async function loadPolicy(hash: string): Promise<Policy | null> {
  if (!(await isKey(hash))) return null;
  const key = await db().apiKey.findFirst({
    where: { keyHash: Buffer.from(hash, 'base64') },
    include: {
      application: {
        include: {
          locations: { select: { locationId: true } },
          tenant: { select: { suspendedAt: true, movingSince: true, maxRequestsPerMinute: true } },
        },
      },
    },
  });
  if (!key) return null;
  const { application } = key;
  const locationIds = application.locations.map((entry) => entry.locationId).sort();
  const ends = [key.expiresAt, key.overlapEndsAt].flatMap((date) => (date ? [date.getTime()] : []));
  return {
    keyId: key.id,
    endsAt: ends.length > 0 ? Math.min(...ends) : null,
    revoked: key.revokedAt !== null,
    applicationId: application.id,
    tenantId: application.tenantId,
    moving: application.tenant.movingSince !== null,
    clockOffset: env().ENVIRONMENT === 'TEST' ? application.clockOffsetSeconds * 1_000 : 0,
    suspended: application.suspendedAt !== null || application.tenant.suspendedAt !== null,
    scopes: new Set(application.scopes as Scope[]),
    allLocations: application.allLocations,
    locationIds: new Set(locationIds),
    locationKey: application.allLocations ? '*' : locationIds.join(' '),
    origins: new Set(application.origins),
    networks: application.networks.length > 0 ? parseNetworks(application.networks) : null,
    quota: application.quota,
    tenantQuota: application.tenant.maxRequestsPerMinute,
  };
}

function policies(): Cache<Policy> {
  return singleton('cache:policy', () =>
    createCache<Policy>({
      topic: 'policy',
      max: MAX_POLICIES,
      load: loadPolicy,
      recordOf: (policy) => policy.applicationId,
    }),
  );
}

/** Returns the policy of the key with this hash (base64), even if revoked or expired, for the log (architecture 4). */
export function policyOfHash(hash: string): Promise<Policy | null> {
  return policies().get(hash);
}

/** Returns the time of the application's clock at `now`, which is real time (contract B20). */
export function timeOf({ clockOffset }: Policy, now: Date): Date {
  return clockOffset === 0 ? now : new Date(now.getTime() + clockOffset);
}

/** Returns whether a key is valid at `now` (epoch milliseconds): neither revoked nor past its end (contract B10). */
export function isKeyLive(policy: Policy, now: number): boolean {
  return !policy.revoked && (policy.endsAt === null || now < policy.endsAt);
}

/** Returns whether the application may use a location of its tenant. */
export function mayUseLocation(policy: Omit<AllowedLocations, 'locationKey'>, locationId: string): boolean {
  return policy.allLocations || policy.locationIds.has(locationId);
}
