import { AppError, invalidField } from '@/lib/contract/errors/app-error';
import { db } from '@/lib/platform/db';
import { isConfirmed } from './confirmed-minutes';
import { requirePassword } from './password';
import { hasSecondFactor } from './second-factor';
import { type FactorProof, factorMethods, type StepMethods, takeFactor } from './second-step';
import type { Member } from './session';

/** What a signed-in person enters again: the password, unless the account has none, and a second factor, if set up. */
export type Proof = { password: string | null; factor: FactorProof | null };

type Given = { member: Member; address: string; proof: Proof };

/** Anyone in the session gets a challenge for a proof, and must not be able to add a passkey with it. */
const holderOf = ({ sessionId }: Member) => `${sessionId} proof`;

/** Returns the ways in which the signed-in person can prove the second factor. */
export function proofMethods(now: Date, member: Member): Promise<StepMethods> {
  return factorMethods(member.userId, holderOf(member), now);
}

/** Returns whether a user has a password. A user without one signs in only through the provider. */
export async function hasPassword(userId: string): Promise<boolean> {
  return (await db().user.count({ where: { id: userId, passwordHash: { not: null } } })) > 0;
}

/**
 * Checks that the signed-in person knows the password and has the second factor, if one is set up, so that a stolen
 * session, even with the password, is not enough. Without a password, a new sign-in through the provider counts.
 * @throws AppError invalid_request if the password or the second factor is missing or wrong; rate_limited after too
 * many attempts within a minute; confirmation_required if the sign-in through the provider is too old.
 */
export async function requireProof(now: Date, given: Given): Promise<void> {
  const { member, address, proof } = given;
  const { userId } = member;
  if (await hasPassword(userId)) {
    if (proof.password === null) throw invalidField('password', 'is required');
    await requirePassword(now, { person: member, address, password: proof.password });
  } else if (!isConfirmed(now, member)) throw new AppError('confirmation_required');
  if (!(await hasSecondFactor(db(), userId))) return;
  const { factor } = proof;
  if (factor === null) throw invalidField('code', 'is required');
  if ((await takeFactor(now, { userId, address, holder: holderOf(member), proof: factor })) === null)
    throw invalidField('code' in factor ? 'code' : 'passkey', 'is not correct, or was used before');
}

/** Allows sensitive changes for `CONFIRMED_MINUTES`, with a password. @throws AppError as `requireProof`. */
export async function confirmSession(now: Date, given: Given): Promise<void> {
  await requireProof(now, given);
  const confirmed = { id: given.member.sessionId, endedAt: null, user: { passwordHash: { not: null } } };
  await db().session.updateMany({ where: confirmed, data: { confirmedAt: now } });
}
