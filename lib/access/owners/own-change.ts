import type { Actor } from '@/lib/activity/audit/actor';
import { recordChanges } from '@/lib/activity/audit/record';
import { isAccountChange } from '@/lib/activity/mail/facts';
import { inPrisma, queueMail } from '@/lib/activity/mail/queue';
import { AppError } from '@/lib/contract/errors/app-error';
import { type Db, db } from '@/lib/platform/db';
import type { Prisma } from '@/lib/platform/generated/prisma/client';
import { END_LIMIT } from '@/lib/platform/tenant-scope';
import { lockUser } from './second-factor';
import { endOtherSessions, type SignedIn } from './session';

type Entry = { action: string; before?: Prisma.InputJsonObject; after?: Prisma.InputJsonObject };

/**
 * Adds an entry about an account to the audit log of each of its tenants, and mails its user about a change of the sign-in.
 * The actor is the user, or the system. The transaction must not be limited to a tenant.
 */
export async function recordOfAccount(
  tx: Db,
  now: Date,
  userId: string,
  entry: Entry,
  by: 'owner' | 'system' = 'owner',
): Promise<void> {
  const memberships = await tx.membership.findMany({ where: { userId }, select: { tenantId: true } });
  const actorIn = (tenantId: string): Actor =>
    by === 'owner' ? { kind: 'owner', id: userId, tenantId } : { kind: 'system' };
  const object = { kind: 'user', id: userId };
  const changes = memberships.map(({ tenantId }) => ({ tenantId, actor: actorIn(tenantId), object, ...entry }));
  await recordChanges(tx, now, changes);
  const { action } = entry;
  const user = await tx.user.findUnique({ where: { id: userId } });
  // Nobody has changed an account that was just created. The owner of an address that is not proven may be somebody else.
  if (!isAccountChange(action) || !user?.addressProvenAt || user.createdAt >= now) return;
  const mail = { tenantId: null, userId, email: user.email, kind: 'account_changed' } as const;
  await queueMail(inPrisma(tx), now, { ...mail, facts: { change: action, at: now } });
}

/**
 * Changes how the signed-in person signs in, with an entry in the audit log of each of the person's tenants. Ends the
 * other sessions and unfinished sign-ins.
 * @throws AppError sign_in_required if another change has ended the session in the meantime. A change that was
 * confirmed with the old password or factors could otherwise follow.
 */
export function changeOwn<T>(now: Date, person: SignedIn, entry: Entry, change: (tx: Db) => Promise<T>): Promise<T> {
  const { userId, sessionId } = person;
  return db().$transaction(async (tx) => {
    await lockUser(tx, userId);
    if ((await tx.session.count({ where: { id: sessionId, endedAt: null } })) === 0)
      throw new AppError('sign_in_required');
    const result = await change(tx);
    await tx.$executeRawUnsafe(END_LIMIT);
    await recordOfAccount(tx, now, userId, entry);
    await endOtherSessions(tx, userId, now, sessionId);
    return result;
  });
}
