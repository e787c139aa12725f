import { notFound } from '@/lib/contract/errors/app-error';
import { db } from '@/lib/platform/db';
import type { ApiKey } from '@/lib/platform/generated/prisma/client';
import { inUse } from './detail';
import { trafficByKey, windowStart } from './traffic';

/** Keys that one answer holds: those in use first, then the newest of those that ended. */
const MAX_KEYS = 200;
/** Milliseconds before its end from which a key counts as expiring. */
const EXPIRING_WITHIN = 14 * 86_400_000;

/**
 * What a key is: usable; usable and ending soon; replaced and usable until the overlap ends; past its end; revoked.
 */
export const KEY_STATUSES = ['active', 'expiring', 'rotated', 'expired', 'revoked'] as const;

/** What a key is. */
export type KeyStatus = (typeof KEY_STATUSES)[number];

/** A key as the Control Center shows it: everything but the key. */
export type KeySummary = {
  id: string;
  name: string;
  prefix: string;
  last_four: string;
  status: KeyStatus;
  /** When it stops by itself: its expiry or the end of its overlap. */
  ends_at: Date | null;
  expires_at: Date | null;
  revoked_at: Date | null;
  rotated_to_id: string | null;
  created_at: Date;
  /** Null for the sandbox's own. */
  created_by: string | null;
  last_used_at: Date | null;
  requests_24h: number;
};

type State = Pick<ApiKey, 'revokedAt' | 'expiresAt' | 'overlapEndsAt'>;

/** Returns when a key stops by itself, or null when it does not. */
function endOf({ expiresAt, overlapEndsAt }: State): Date | null {
  if (expiresAt && overlapEndsAt) return expiresAt < overlapEndsAt ? expiresAt : overlapEndsAt;
  return overlapEndsAt ?? expiresAt;
}

/** Returns what a key is at `now`; the same comparison decides every request (contract B10). */
export function statusOf(key: State, now: Date): KeyStatus {
  if (key.revokedAt) return 'revoked';
  const end = endOf(key);
  if (end && end <= now) return 'expired';
  if (key.overlapEndsAt) return 'rotated';
  return end && end.getTime() - now.getTime() <= EXPIRING_WITHIN ? 'expiring' : 'active';
}

/**
 * Returns the keys of an application of the tenant, with the requests of each in the last 24 hours, and how many more
 * there are than fit.
 * @throws AppError not_found.
 */
export async function listKeys(
  now: Date,
  tenantId: string,
  applicationId: string,
): Promise<{ keys: KeySummary[]; more: number }> {
  if ((await db().application.count({ where: { id: applicationId, tenantId } })) === 0) throw notFound();
  const [live, ended, total, traffic] = await Promise.all([
    findKeys({ applicationId, ...inUse(now) }),
    findKeys({ applicationId, NOT: inUse(now) }),
    db().apiKey.count({ where: { applicationId } }),
    trafficByKey(tenantId, applicationId, windowStart(now)),
  ]);
  const shown = [...live, ...ended].slice(0, MAX_KEYS);
  const names = await namesOf(shown);
  const keys = shown.map(
    (key): KeySummary => ({
      id: key.id,
      name: key.name,
      prefix: key.prefix,
      last_four: key.lastFour,
      status: statusOf(key, now),
      ends_at: endOf(key),
      expires_at: key.expiresAt,
      revoked_at: key.revokedAt,
      rotated_to_id: key.rotatedToId,
      created_at: key.createdAt,
      created_by: names.get(key.createdById ?? '') ?? null,
      last_used_at: key.lastUsedAt,
      requests_24h: traffic.get(key.id)?.requests ?? 0,
    }),
  );
  return { keys, more: total - keys.length };
}

function findKeys(where: object) {
  return db().apiKey.findMany({
    where,
    omit: { keyHash: true },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: MAX_KEYS,
  });
}

async function namesOf(keys: { createdById: string | null }[]): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(keys.flatMap(({ createdById }) => createdById ?? []))];
  const users = await db().user.findMany({ where: { id: { in: ids } }, select: { id: true, name: true } });
  return new Map(users.map(({ id, name }) => [id, name]));
}
