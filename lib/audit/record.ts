import type { Db } from '../db';
import type { Prisma } from '../generated/prisma/client';
import { newId } from '../ids';
import type { Actor } from './actor';

type Change = {
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
export async function recordChange(tx: Db, now: Date, change: Change): Promise<void> {
  const { tenantId, actor, action, object, before, after } = change;
  await tx.auditLog.create({
    data: {
      id: newId('aud'),
      at: now,
      tenantId,
      actorKind: actor.kind,
      actorId: actor.kind === 'system' ? null : actor.id,
      action,
      objectKind: object.kind,
      objectId: object.id,
      before,
      after,
    },
  });
}
