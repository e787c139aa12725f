import { randomBytes } from 'node:crypto';
import { recordChange } from '@/lib/activity/audit/record';
import { invalidField } from '@/lib/contract/errors/app-error';
import { db } from '@/lib/platform/db';
import { hashPassword, verifyPassword } from './password-hash';
import { removeSecondFactors } from './second-factor';
import { endOtherSessions, type Member } from './session';
import { refundSignInAttempts, throttleAccount } from './sign-in';

/**
 * Sets a random password for a user, removes the user's second factors, and ends all of the user's sessions. `npm run
 * password` calls this function. The audit log names the system as the actor, because the person who runs the command
 * need not be a member.
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
    await removeSecondFactors(tx, user.id);
    await endOtherSessions(tx, user.id, now, null);
    const object = { kind: 'user', id: user.id };
    for (const { tenantId } of user.memberships)
      await recordChange(tx, now, { tenantId, actor: { kind: 'system' }, action: 'user.password_issued', object });
    return password;
  });
}

/** The signed-in user, and the password that the user entered again to confirm a sensitive change. */
export type Reauthentication = { member: Member; address: string; password: string };

/**
 * Checks the password of the signed-in user.
 * @param path the name of the input field, for the error.
 * @throws AppError invalid_request if the password is wrong; rate_limited after too many attempts within a minute.
 */
export async function requirePassword(
  { member, address, password }: Reauthentication,
  path = 'password',
): Promise<void> {
  await throttleAccount(member.email, address);
  const { passwordHash } = await db().user.findUniqueOrThrow({ where: { id: member.userId } });
  if (!(await verifyPassword(passwordHash, password))) throw invalidField(path, 'is not your password');
  await refundSignInAttempts(member.email, address);
}

type Change = { member: Member; address: string; current: string; next: string };

/**
 * Changes the signed-in user's password and ends all of the user's other sessions.
 * @throws AppError invalid_request if the current password is wrong or the new password is not allowed; rate_limited
 *   after too many attempts within a minute.
 */
export async function changePassword(now: Date, { member, address, current, next }: Change): Promise<void> {
  const { userId, tenantId, sessionId } = member;
  await requirePassword({ member, address, password: current }, 'current_password');
  const passwordHash = await hashPassword(next, 'new_password', [member.email, member.name, member.tenantName]);
  await db().$transaction(async (tx) => {
    await tx.user.update({ where: { id: userId }, data: { passwordHash } });
    await endOtherSessions(tx, userId, now, sessionId);
    const actor = { kind: 'owner', id: userId, tenantId } as const;
    const object = { kind: 'user', id: userId };
    await recordChange(tx, now, { tenantId, actor, action: 'user.password_changed', object });
  });
}
