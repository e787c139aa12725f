import { recordChange } from '@/lib/activity/audit/record';
import { AppError } from '@/lib/contract/errors/app-error';
import { type Db, db } from '@/lib/platform/db';
import { lockUser } from './second-factor';
import { endOtherSessions, type Member } from './session';

type Entry = { action: string; after?: { method: string } };

/**
 * Changes how the signed-in person signs in: the password, the second factors, or the recovery codes. In the same
 * transaction, adds an entry to the audit log and ends the person's other sessions and unfinished sign-ins.
 * @throws AppError sign_in_required if another change has ended the session in the meantime. Otherwise, a change that
 *   was confirmed with the old password or factors could follow the change that replaced them.
 */
export function changeOwn<T>(now: Date, member: Member, entry: Entry, change: (tx: Db) => Promise<T>): Promise<T> {
  const { userId, tenantId, sessionId } = member;
  return db().$transaction(async (tx) => {
    await lockUser(tx, userId);
    if ((await tx.session.count({ where: { id: sessionId, endedAt: null } })) === 0)
      throw new AppError('sign_in_required');
    const result = await change(tx);
    const actor = { kind: 'owner', id: userId, tenantId } as const;
    await recordChange(tx, now, { tenantId, actor, ...entry, object: { kind: 'user', id: userId } });
    await endOtherSessions(tx, userId, now, sessionId);
    return result;
  });
}
