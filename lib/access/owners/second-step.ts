import { db } from '@/lib/platform/db';
import { passkeySignInOptions, takePasskey } from './passkeys';
import { takeRecoveryCode } from './recovery-codes';
import { secondFactorsOf } from './second-factor';
import { limitWrongCodes, refundCode, throttleCode } from './second-step-throttle';
import { endSecondStep, type SigningIn } from './session';
import { recordFailureLater } from './sign-in-record';
import { takeTotpCode } from './totp';

/** Any other code is a recovery code. */
const TOTP_CODE = /^\s*\d{3}\s*\d{3}\s*$/;

export type SecondStep = { userId: string };

/** Returns the sign-in that waits for the second factor, or null if it was already completed or has expired. */
export async function secondStepOf(stepId: string, now: Date): Promise<SecondStep | null> {
  return db().secondStep.findFirst({ where: { id: stepId, expiresAt: { gt: now } }, select: { userId: true } });
}

/** A code of the app, a recovery code, or a passkey's response as JSON. */
export type FactorProof = { code: string } | { passkey: string };

type Attempt = FactorProof & { stepId: string; address: string; browser?: SigningIn };

/**
 * Completes a sign-in with a second factor, and returns the id of the new session, `wrong` (also for a used code), or
 * `expired` if the user must start over.
 * @throws AppError rate_limited after too many attempts within a minute, or too many wrong codes within a day.
 */
export async function completeSignIn(
  now: Date,
  { stepId, address, browser, ...proof }: Attempt,
): Promise<{ sessionId: string } | 'wrong' | 'expired'> {
  const step = await secondStepOf(stepId, now);
  if (!step) return 'expired';
  const { userId } = step;
  const method = await takeFactor(now, { userId, address, holder: stepId, proof });
  if (method === null) return 'wrong';
  const opening = { userId, method, address, ...(browser && { browser }) };
  const sessionId = await endSecondStep(now, stepId, opening);
  return sessionId === null ? 'expired' : { sessionId };
}

type Taken = { userId: string; address: string; holder: string; proof: FactorProof };

/**
 * Checks a proof of a second factor and uses it up. Returns its method, or null, which is recorded as a failed sign-in.
 * A passkey's challenge was made for `holder`.
 * @throws AppError rate_limited after too many attempts within a minute, or too many wrong codes within a day.
 */
export async function takeFactor(now: Date, { userId, address, holder, proof }: Taken) {
  await throttleCode(userId, address);
  await limitWrongCodes(now, userId, address);
  const method = methodOf(proof);
  if (!(await take(now, userId, holder, proof))) {
    recordFailureLater(now, { userIds: [userId], outcome: 'wrong_second_factor', method, address });
    return null;
  }
  await refundCode(userId, address);
  return method;
}

function methodOf(proof: FactorProof): 'passkey' | 'totp' | 'recovery_code' {
  if ('passkey' in proof) return 'passkey';
  return TOTP_CODE.test(proof.code) ? 'totp' : 'recovery_code';
}

function take(now: Date, userId: string, holder: string, proof: FactorProof): Promise<boolean> {
  if ('passkey' in proof) return takePasskey(now, { userId, holder, response: proof.passkey });
  const { code } = proof;
  return methodOf(proof) === 'totp' ? takeTotpCode(userId, code, now) : takeRecoveryCode(userId, code, now);
}

/** Besides recovery codes. `passkeys` is null if the user cannot use a passkey. */
export type StepMethods = { totp: boolean; passkeys: Awaited<ReturnType<typeof passkeySignInOptions>> };

/** Returns the ways to complete a sign-in, or null if the user must start the sign-in over. */
export async function stepMethods(stepId: string, now: Date): Promise<StepMethods | null> {
  const step = await secondStepOf(stepId, now);
  return step && factorMethods(step.userId, stepId, now);
}

/** Returns how a user can prove the second factor, with a passkey's challenge for `holder`. */
export async function factorMethods(userId: string, holder: string, now: Date): Promise<StepMethods> {
  const { totp_since } = await secondFactorsOf(userId);
  return { totp: totp_since !== null, passkeys: await passkeySignInOptions(now, userId, holder) };
}
