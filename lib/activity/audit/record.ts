import type { Db } from '@/lib/platform/db';
import type { Prisma } from '@/lib/platform/generated/prisma/client';
import { newId } from '@/lib/platform/ids';
import { inParts } from '@/lib/platform/parts';
import { nullable, param, statement } from '@/lib/platform/sql';
import type { WriteTx } from '@/lib/platform/write-transaction';
import type { Actor } from './actor';

export type AuditedChange = {
  tenantId: string;
  actor: Actor;
  /** Such as `key.issued`. */
  action: string;
  object: { kind: string; id: string };
  before?: Prisma.InputJsonObject;
  after?: Prisma.InputJsonObject;
};

/** Writes an audit entry in the transaction of its change, and returns its id. It must not contain secrets. */
export async function recordChange(tx: Db, now: Date, change: AuditedChange): Promise<string> {
  const data = entryOf(now, change);
  await tx.auditLog.create({ data });
  return data.id;
}

/** Writes several audit entries, and returns their ids. `tx` must be the transaction that makes the changes. */
export async function recordChanges(tx: Db, now: Date, changes: readonly AuditedChange[]): Promise<string[]> {
  const entries = changes.map((change) => entryOf(now, change));
  await inParts(entries, (data) => tx.auditLog.createMany({ data }));
  return entries.map(({ id }) => id);
}

function entryOf(at: Date, { tenantId, actor, action, object, before, after }: AuditedChange) {
  return {
    id: newId('aud'),
    at,
    tenantId,
    actorKind: actor.kind,
    actorId: 'id' in actor ? actor.id : null,
    action,
    objectKind: object.kind,
    objectId: object.id,
    before,
    after,
  };
}

const INSERT_ENTRY = statement<never>('audit-insert')`
  INSERT INTO audit_log (id, at, tenant_id, actor_kind, actor_id, action, object_kind, object_id, before, after)
  VALUES (${param.text('id')}, ${param.timestamptz('at')}, ${param.text('tenantId')}, ${param.text('actorKind')},
    ${nullable(param.text('actorId'))}, ${param.text('action')}, ${param.text('objectKind')},
    ${param.text('objectId')}, ${nullable(param.jsonb('before'))}, ${nullable(param.jsonb('after'))})`;

/** Like `recordChange`, but in the transaction of a write (`WriteTx`). */
export async function recordInWrite(tx: WriteTx, now: Date, change: AuditedChange): Promise<void> {
  const { before, after, ...entry } = entryOf(now, change);
  const json = (state: object | undefined) => (state === undefined ? null : JSON.stringify(state));
  await tx.query(INSERT_ENTRY, { ...entry, before: json(before), after: json(after) });
}
