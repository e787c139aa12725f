import { AppError, invalidField } from '@/lib/contract/errors/app-error';
import { db } from '@/lib/platform/db';
import { isConfirmed } from './confirmed-minutes';
import { requirePassword } from './password';
import { hasSecondFactor } from './second-factor';
import { type FactorProof, factorMethods, type StepMethods, takeFactor } from './second-step';
import type { Member } from './session';

/**
 * What a signed-in person enters again to prove who they are: the password, unless the account has none, and, if the
 * person has a second factor, a code of the authenticator app, a recovery code, or a passkey's response as JSON.
 */
export type Proof = { password: string | null; factor: FactorProof | null };

type Given = { member: Member; address: string; proof: Proof };

/**
 * Returns the holder of the challenges for proofs. It differs from the holder of the challenges with which a passkey is
 * added. Anyone in the session gets a challenge for a proof, and must not be able to add a passkey with it.
 */
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
 * Checks that the signed-in person knows the password and has the second factor, if one is set up. A stolen session, or a
 * stolen session with the password, is thus not enough for a change that requires this proof. A new sign-in through the
 * provider takes the place of the password for a person without one.
 * @throws AppError invalid_request if the password or the second factor is missing or wrong; rate_limited after too many
 *   attempts within a minute; confirmation_required if the person has no password, and the sign-in is too old.
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

/**
 * Confirms the session: sensitive changes are allowed for the next `CONFIRMED_MINUTES`. The session of a person without a
 * password is confirmed only by a new sign-in through the provider.
 * @throws AppError as `requireProof`.
 */
export async function confirmSession(now: Date, given: Given): Promise<void> {
  await requireProof(now, given);
  const confirmed = { id: given.member.sessionId, endedAt: null, user: { passwordHash: { not: null } } };
  await db().session.updateMany({ where: confirmed, data: { confirmedAt: now } });
}
