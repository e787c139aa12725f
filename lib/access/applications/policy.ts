import type { Scope } from '@/lib/contract/common';
import { type Cache, createCache } from '@/lib/platform/cache/cache';
import { db } from '@/lib/platform/db';
import { singleton } from '@/lib/platform/singleton';
import { hashKey } from './key-hash';
import { type Networks, parseNetworks } from './networks';

/** What a key may do: its own state and the policy of its application, prepared for every request. */
export type Policy = {
  keyId: string;
  /** Milliseconds since the epoch from which the key is refused; null means never. */
  endsAt: number | null;
  revoked: boolean;
  applicationId: string;
  tenantId: string;
  suspended: boolean;
  scopes: ReadonlySet<Scope>;
  allLocations: boolean;
  locationIds: ReadonlySet<string>;
  /** The allowed locations in one word: applications that may use the same ones share what is prepared for them. */
  locationKey: string;
  /** Empty means no restriction. */
  origins: ReadonlySet<string>;
  /** Null means no restriction. */
  networks: Networks | null;
  /** Requests per 60 seconds. */
  quota: number;
};

/** Keys in memory; one entry is about 1 KB. */
const MAX_POLICIES = 20_000;

async function loadPolicy(hash: string): Promise<Policy | null> {
  const key = await db().apiKey.findUnique({
    where: { keyHash: Buffer.from(hash, 'base64') },
    include: { application: { include: { locations: { select: { locationId: true } } } } },
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
    suspended: application.suspendedAt !== null,
    scopes: new Set(application.scopes as Scope[]),
    allLocations: application.allLocations,
    locationIds: new Set(locationIds),
    locationKey: application.allLocations ? '*' : locationIds.join(' '),
    origins: new Set(application.origins),
    networks: application.networks.length > 0 ? parseNetworks(application.networks) : null,
    quota: application.quota,
  };
}

function policies(): Cache<Policy> {
  return singleton('cache:policy', () =>
    createCache<Policy>({
      topic: 'policy',
      max: MAX_POLICIES,
      load: loadPolicy,
      concerns: (policy, id) => policy.applicationId === id,
    }),
  );
}

/**
 * Returns the policy of a well-formed key, or null when no such key was ever issued. A key that is revoked or past
 * its end is returned too: its failures belong to its application (architecture 4).
 */
export function policyOfKey(key: string): Policy | Promise<Policy | null> {
  return policies().get(hashKey(key).toString('base64'));
}

/** Tells whether a key may be used at `now`: neither revoked nor past its end. Compared on every request (B10). */
export function isKeyLive(policy: Policy, now: number): boolean {
  return !policy.revoked && (policy.endsAt === null || now < policy.endsAt);
}

/** Tells whether the application may use a location of its tenant. */
export function mayUseLocation(policy: Policy, locationId: string): boolean {
  return policy.allLocations || policy.locationIds.has(locationId);
}
