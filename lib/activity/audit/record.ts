import type { Db } from '@/lib/platform/db';
import type { Prisma } from '@/lib/platform/generated/prisma/client';
import { newId } from '@/lib/platform/ids';
import type { WriteTx } from '@/lib/platform/write-transaction';
import type { Actor } from './actor';

/** One change, as the log keeps it. */
export type AuditedChange = {
  tenantId: string;
  actor: Actor;
  /** Such as `key.issued`. */
  action: string;
  object: { kind: string; id: string };
  before?: Prisma.InputJsonObject;
  after?: Prisma.InputJsonObject;
};

/**
 * Writes who changed what, in the transaction of the change: a change without its line cannot be. The caller passes
 * no secrets.
 */
export async function recordChange(tx: Db, now: Date, change: AuditedChange): Promise<void> {
  await tx.auditLog.create({ data: lineOf(now, change) });
}

/** Like `recordChange`, for many at once. */
export async function recordChanges(tx: Db, now: Date, changes: readonly AuditedChange[]): Promise<void> {
  await tx.auditLog.createMany({ data: changes.map((change) => lineOf(now, change)) });
}

function lineOf(at: Date, { tenantId, actor, action, object, before, after }: AuditedChange) {
  return {
    id: newId('aud'),
    at,
    tenantId,
    actorKind: actor.kind,
    actorId: actor.kind === 'system' ? null : actor.id,
    action,
    objectKind: object.kind,
    objectId: object.id,
    before,
    after,
  };
}

const LINE = {
  name: 'audit-line',
  text: `
    INSERT INTO audit_log (id, at, tenant_id, actor_kind, actor_id, action, object_kind, object_id, before, after)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9::jsonb, $10::jsonb)`,
};

/** Like `recordChange`, in a transaction that speaks SQL. */
export async function recordInWrite(tx: WriteTx, now: Date, change: AuditedChange): Promise<void> {
  const { tenantId, actor, action, object, before, after } = change;
  const who = [actor.kind, actor.kind === 'system' ? null : actor.id];
  const states = [before, after].map((state) => (state === undefined ? null : JSON.stringify(state)));
  await tx.query(LINE, [newId('aud'), now, tenantId, ...who, action, object.kind, object.id, ...states]);
}
