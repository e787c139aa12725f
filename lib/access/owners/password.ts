import { invalidField } from '@/lib/contract/errors/app-error';
import { db } from '@/lib/platform/db';
import { lockAddress } from './accounts';
import { proveAddress } from './address-proof';
import { typedAddress } from './email';
import { changeOwn, recordOfAccount } from './own-change';
import { hashPassword, randomPassword, verifyPassword } from './password-hash';
import { removeSecondFactors } from './second-factor';
import { refundPassword, throttlePassword } from './second-step-throttle';
import type { Member, SignedIn } from './session';
import { recordFailureLater } from './sign-in-record';

/** Hours for which a password that the operator issued works. */
export const ISSUED_HOURS = 24;

type Issue = { email: string; resetSecondFactor: boolean };

/**
 * Sets a random password for a user, and ends all of the user's sessions. The password works for `ISSUED_HOURS`, and only
 * to set a new one. The second factors stay unless `resetSecondFactor` is true. This proves the address (`proveAddress`),
 * and the next sign-in through the provider binds the account again. `npm run password` calls this function. The audit log
 * names the system as the actor, because the person who runs the command need not be a member.
 * @returns the password, which cannot be shown again, or null if there is no member with this email address.
 */
export async function issuePassword(now: Date, { resetSecondFactor, ...given }: Issue): Promise<string | null> {
  const email = typedAddress(given.email);
  const passwordExpiresAt = new Date(now.getTime() + ISSUED_HOURS * 3_600_000);
  return db().$transaction(async (tx) => {
    await lockAddress(tx, email, now);
    if ((await tx.user.count({ where: { email, closedAt: null } })) === 0) return null;
    const { password, passwordHash } = await randomPassword(tx, email);
    const userId = await proveAddress(tx, now, { email, password: { passwordHash, passwordExpiresAt } });
    if (userId === null) return null;
    const reset = resetSecondFactor && (await removeSecondFactors(tx, userId));
    await tx.userIdentity.deleteMany({ where: { userId } });
    await recordOfAccount(tx, now, userId, { action: 'user.password_issued' }, 'system');
    if (reset) await recordOfAccount(tx, now, userId, { action: 'member.second_factor_reset' }, 'system');
    return password;
  });
}

type Entered = { person: SignedIn; address: string; password: string };

/**
 * Checks the password of the signed-in user. A wrong one is recorded like a failed sign-in.
 * @param path the name of the input field, for the error.
 * @throws AppError invalid_request if the password is wrong or has expired, or if there is none; rate_limited after too
 *   many attempts within a minute.
 */
export async function requirePassword(
  now: Date,
  { person, address, password }: Entered,
  path = 'password',
): Promise<void> {
  await throttlePassword(person, address);
  const { userId } = person;
  const { passwordHash, passwordExpiresAt } = await db().user.findUniqueOrThrow({ where: { id: userId } });
  if (passwordHash === null) throw invalidField(path, 'account has no password');
  if (!(await verifyPassword(passwordHash, password))) {
    recordFailureLater(now, { userIds: [userId], outcome: 'wrong_password', method: 'password', address });
    throw invalidField(path, 'is not your password');
  }
  if (passwordExpiresAt !== null && passwordExpiresAt <= now) throw invalidField(path, 'has expired');
  await refundPassword(person, address);
}

/** The name of the tenant in which the person has entered must not be part of the password. */
type Change = {
  person: SignedIn & Partial<Pick<Member, 'tenantName'>>;
  address: string;
  current: string;
  next: string;
};

/**
 * Changes the signed-in user's password and ends all of the user's other sessions.
 * @throws AppError invalid_request if the current password is wrong or the new password is not allowed; rate_limited
 *   after too many attempts within a minute.
 */
export async function changePassword(now: Date, { person, address, current, next }: Change): Promise<void> {
  const { userId, sessionId, email, name, tenantName } = person;
  await requirePassword(now, { person, address, password: current }, 'current_password');
  if (next.normalize('NFC') === current.normalize('NFC'))
    throw invalidField('new_password', 'must differ from your current password');
  const own = tenantName === undefined ? [name] : [name, tenantName];
  const passwordHash = await hashPassword({ email, password: next, path: 'new_password', own });
  await changeOwn(now, person, { action: 'user.password_changed' }, async (tx) => {
    await tx.user.update({ where: { id: userId }, data: { passwordHash, passwordExpiresAt: null } });
    await tx.session.update({ where: { id: sessionId }, data: { mustChangePassword: false } });
  });
}
