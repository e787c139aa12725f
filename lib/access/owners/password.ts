import { randomBytes } from 'node:crypto';
import { recordChange } from '@/lib/activity/audit/record';
import { invalidField } from '@/lib/contract/errors/app-error';
import { db } from '@/lib/platform/db';
import { hashPassword, verifyPassword } from './password-hash';
import type { Member } from './session';
import { refundSignInAttempts, throttleAccount } from './sign-in';

/**
 * Sets a random password for a user and ends all sessions of the user. Only an administrator's script calls this
 * function. The administrator is not a member, so the audit log records the system as the actor.
 * @returns the password, which cannot be shown again, or null if there is no member with this email address.
 */
export async function issuePassword(now: Date, email: string): Promise<string | null> {
  const password = randomBytes(18).toString('base64url');
  const passwordHash = await hashPassword(password, 'password', []);
  return db().$transaction(async (tx) => {
    const where = { email: email.trim().toLowerCase(), memberships: { some: {} } };
    const user = await tx.user.findFirst({ where, include: { memberships: true } });
    if (!user) return null;
    await tx.user.update({ where: { id: user.id }, data: { passwordHash } });
    await tx.session.updateMany({ where: { userId: user.id, endedAt: null }, data: { endedAt: now } });
    const object = { kind: 'user', id: user.id };
    for (const { tenantId } of user.memberships)
      await recordChange(tx, now, { tenantId, actor: { kind: 'system' }, action: 'user.password_issued', object });
    return password;
  });
}

type Change = { member: Member; address: string; current: string; next: string };

/**
 * Changes the password of the signed-in user and ends all other sessions of the user.
 * @throws AppError invalid_request if the current password is wrong or the new password is not allowed; rate_limited
 *   after too many attempts within a minute.
 */
export async function changePassword(now: Date, { member, address, current, next }: Change): Promise<void> {
  const { userId, tenantId, sessionId } = member;
  await throttleAccount(member.email, address);
  const user = await db().user.findUniqueOrThrow({ where: { id: userId } });
  if (!(await verifyPassword(user.passwordHash, current)))
    throw invalidField('current_password', 'is not your password');
  await refundSignInAttempts(member.email, address);
  const passwordHash = await hashPassword(next, 'new_password', [member.email, member.name, member.tenantName]);
  await db().$transaction(async (tx) => {
    await tx.user.update({ where: { id: userId }, data: { passwordHash } });
    const others = { userId, endedAt: null, id: { not: sessionId } };
    await tx.session.updateMany({ where: others, data: { endedAt: now } });
    const actor = { kind: 'owner', id: userId, tenantId } as const;
    const object = { kind: 'user', id: userId };
    await recordChange(tx, now, { tenantId, actor, action: 'user.password_changed', object });
  });
}
