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

/** Of a password that the operator issued. */
export const ISSUED_HOURS = 24;

type Issue = { email: string; resetSecondFactor: boolean };

/**
 * Sets a random password that works for `ISSUED_HOURS`, only to set a new one, and ends all of the user's sessions. The
 * second factors stay unless `resetSecondFactor`. This proves the address (`proveAddress`), and the next sign-in
 * through the provider binds the account again. The audit log names the system, because whoever runs `npm run password`
 * need not be a member.
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

type Entered = { person: Pick<SignedIn, 'userId' | 'email'>; address: string; password: string };

/**
 * Checks the person's password, like a sign-in, and returns the hash with which it was compared.
 * @throws AppError invalid_request for the field `path`; rate_limited.
 */
export async function requirePassword(
  now: Date,
  { person, address, password }: Entered,
  path = 'password',
): Promise<string> {
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
  return passwordHash;
}

/** The name of the tenant in which the person has entered must not be part of the password. */
type Change = {
  person: SignedIn & Partial<Pick<Member, 'tenantName'>>;
  address: string;
  current: string;
  next: string;
};

/** Changes the password, and ends the user's other sessions. @throws AppError invalid_request; rate_limited. */
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
