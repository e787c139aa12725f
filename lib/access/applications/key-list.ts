import { notFound } from '@/lib/contract/errors/app-error';
import { db } from '@/lib/platform/db';
import type { ApiKey } from '@/lib/platform/generated/prisma/client';
import { inUse, userNames } from './detail';
import { trafficByKey, windowStart } from './traffic';

/** Valid keys come first, followed by the newest invalid keys. */
const MAX_KEYS = 200;
const EXPIRING_WITHIN_MS = 14 * 86_400_000;

/** A `rotated` key has been replaced but is valid during its overlap. */
export const KEY_STATUSES = ['active', 'expiring', 'rotated', 'expired', 'revoked'] as const;

export type KeyStatus = (typeof KEY_STATUSES)[number];

export type KeySummary = {
  id: string;
  name: string;
  prefix: string;
  last_four: string;
  status: KeyStatus;
  /** The expiry or the end of the overlap, whichever is earlier. */
  ends_at: Date | null;
  expires_at: Date | null;
  revoked_at: Date | null;
  rotated_to_id: string | null;
  created_at: Date;
  /** Null for keys that no user created, such as the keys of the sandbox. */
  created_by: string | null;
  last_used_at: Date | null;
  requests_24h: number;
};

type State = Pick<ApiKey, 'revokedAt' | 'expiresAt' | 'overlapEndsAt'>;

function endOf({ expiresAt, overlapEndsAt }: State): Date | null {
  if (expiresAt && overlapEndsAt) return expiresAt < overlapEndsAt ? expiresAt : overlapEndsAt;
  return overlapEndsAt ?? expiresAt;
}

/** Returns the status of a key, which is invalid at its end time, as in `isKeyLive` (contract B10). */
function statusOf(key: State, now: Date): KeyStatus {
  if (key.revokedAt) return 'revoked';
  const end = endOf(key);
  if (end && end <= now) return 'expired';
  if (key.overlapEndsAt) return 'rotated';
  return end && end.getTime() - now.getTime() <= EXPIRING_WITHIN_MS ? 'expiring' : 'active';
}

/** Returns keys with their requests in the last 24 hours, without `more` others. @throws AppError not_found. */
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
  const names = await userNames(shown.map(({ createdById }) => createdById));
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
