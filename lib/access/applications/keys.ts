import type { Actor } from '@/lib/activity/audit/actor';
import { recordChange } from '@/lib/activity/audit/record';
import { invalidField, notFound } from '@/lib/contract/errors/app-error';
import { markChanged } from '@/lib/platform/cache';
import { type Db, db } from '@/lib/platform/db';
import { env } from '@/lib/platform/env';
import type { ApiKey } from '@/lib/platform/generated/prisma/client';
import { newId } from '@/lib/platform/ids';
import { generateKey, hashKey, startOfKey } from './key-format';

/** Milliseconds for which the old key stays valid after a rotation (contract B10). */
export const OVERLAPS = { now: 0, '1h': 3_600_000, '24h': 86_400_000, '7d': 604_800_000 } as const;

export type Overlap = keyof typeof OVERLAPS;

export type KeyRecord = Omit<ApiKey, 'keyHash'>;

/** Only a hash of the key is stored, so it cannot be shown again. */
export type IssuedKey = { key: string; record: KeyRecord };

type Issue = { tenantId: string; applicationId: string; name: string; expiresAt: Date | null; actor: Actor };

function ownerId(actor: Actor): string | null {
  return actor.kind === 'owner' ? actor.id : null;
}

async function insertKey(
  tx: Db,
  now: Date,
  { applicationId, name, expiresAt, actor }: Omit<Issue, 'tenantId'>,
): Promise<IssuedKey> {
  const key = generateKey();
  const { keyHash: _, ...record } = await tx.apiKey.create({
    data: {
      id: newId('key'),
      applicationId,
      name,
      keyHash: new Uint8Array(hashKey(key)),
      prefix: env().keyPrefix,
      start: startOfKey(key),
      lastFour: key.slice(-4),
      expiresAt,
      createdById: ownerId(actor),
      createdAt: now,
    },
  });
  return { key, record };
}

/** Issues a key, which only the result contains (contract B10). @throws AppError not_found; invalid_request (expiry). */
export async function issueKey(now: Date, issue: Issue): Promise<IssuedKey> {
  const { tenantId, applicationId, name, expiresAt, actor } = issue;
  if (expiresAt && expiresAt <= now) throw invalidField('expires_at', 'must be in the future');
  return db().$transaction(async (tx) => {
    const application = await tx.application.findFirst({
      where: { id: applicationId, tenantId },
      select: { id: true },
    });
    if (!application) throw notFound();
    const issued = await insertKey(tx, now, issue);
    await recordChange(tx, now, {
      tenantId,
      actor,
      action: 'key.issued',
      object: { kind: 'key', id: issued.record.id },
      after: {
        name,
        application_id: applicationId,
        last_four: issued.record.lastFour,
        expires_at: expiresAt?.toISOString() ?? null,
      },
    });
    return issued;
  });
}

/** Changes to a key run one after another. */
async function findForUpdate(tx: Db, tenantId: string, keyId: string): Promise<ApiKey> {
  await tx.$queryRaw`
    SELECT 1 FROM api_keys k WHERE id = ${keyId}
      AND EXISTS (SELECT FROM applications a WHERE a.id = k.application_id AND a.tenant_id = ${tenantId})
    FOR UPDATE OF k`;
  const key = await tx.apiKey.findFirst({ where: { id: keyId, application: { tenantId } } });
  if (!key) throw notFound();
  return key;
}

type Rotate = { tenantId: string; keyId: string; overlap: Overlap; actor: Actor };

/**
 * Replaces a key with one of the same name and lifetime. The old key stays valid during `overlap`, but never beyond its
 * own expiry (contract B10).
 * @throws AppError not_found if the tenant has no such key; invalid_request if it is expired, revoked, or rotated.
 */
export async function rotateKey(now: Date, { tenantId, keyId, overlap, actor }: Rotate): Promise<IssuedKey> {
  return db().$transaction(async (tx) => {
    const old = await findForUpdate(tx, tenantId, keyId);
    if (old.revokedAt) throw invalidField('key_id', 'is revoked and cannot be rotated');
    if (old.rotatedToId) throw invalidField('key_id', 'was already rotated');
    if (old.expiresAt && old.expiresAt <= now) throw invalidField('key_id', 'has expired and cannot be rotated');
    const lifetime = old.expiresAt ? old.expiresAt.getTime() - old.createdAt.getTime() : null;
    const expiresAt = lifetime === null ? null : new Date(now.getTime() + lifetime);
    const issued = await insertKey(tx, now, { applicationId: old.applicationId, name: old.name, expiresAt, actor });
    const overlapEnd = now.getTime() + OVERLAPS[overlap];
    const overlapEndsAt = new Date(Math.min(overlapEnd, old.expiresAt?.getTime() ?? overlapEnd));
    await tx.apiKey.update({ where: { id: old.id }, data: { rotatedToId: issued.record.id, overlapEndsAt } });
    await recordChange(tx, now, {
      tenantId,
      actor,
      action: 'key.rotated',
      object: { kind: 'key', id: old.id },
      before: { last_four: old.lastFour },
      after: {
        rotated_to: issued.record.id,
        last_four: issued.record.lastFour,
        overlap_ends_at: overlapEndsAt.toISOString(),
      },
    });
    await markChanged(tx, 'policy', old.applicationId);
    return issued;
  });
}

/** Revokes a key, in every instance within one second (contract B10). Can be repeated. @throws AppError not_found. */
export async function revokeKey(now: Date, { tenantId, keyId, actor }: Omit<Rotate, 'overlap'>): Promise<void> {
  await db().$transaction(async (tx) => {
    const key = await findForUpdate(tx, tenantId, keyId);
    if (key.revokedAt) return;
    await tx.apiKey.update({ where: { id: keyId }, data: { revokedAt: now } });
    await recordChange(tx, now, {
      tenantId,
      actor,
      action: 'key.revoked',
      object: { kind: 'key', id: keyId },
      before: { last_four: key.lastFour, revoked_at: null },
      after: { revoked_at: now.toISOString() },
    });
    await markChanged(tx, 'policy', key.applicationId);
  });
}
