import { db } from '@/lib/platform/db';
import { passkeySignInOptions, takePasskey } from './passkeys';
import { takeRecoveryCode } from './recovery-codes';
import { secondFactorsOf } from './second-factor';
import { limitWrongCodes, refundCode, throttleCode } from './second-step-throttle';
import { endSecondStep } from './session';
import { recordFailure } from './sign-in-record';
import { takeTotpCode } from './totp';

/** Matches a code from an authenticator app. Any other code is a recovery code. */
const TOTP_CODE = /^\s*\d{3}\s*\d{3}\s*$/;

/** A sign-in that waits for the second factor. */
export type SecondStep = { userId: string; email: string };

/** Returns the sign-in that waits for the second factor, or null if it was already completed or has expired. */
export async function secondStepOf(stepId: string, now: Date): Promise<SecondStep | null> {
  const where = { id: stepId, expiresAt: { gt: now } };
  const step = await db().secondStep.findFirst({ where, include: { user: { select: { email: true } } } });
  return step && { userId: step.userId, email: step.user.email };
}

/** A code from the authenticator app, a recovery code, or a passkey's response as JSON. */
type Proof = { code: string } | { passkey: string };

type Attempt = Proof & { stepId: string; address: string };

/**
 * Completes a sign-in with a second factor or a recovery code, and returns the id of the new session. Returns
 * `wrong` if the code or the passkey is wrong, or if the code was used before. Returns `expired` if the user must start
 * over.
 * @throws AppError rate_limited after too many attempts within a minute, or too many wrong codes within a day.
 */
export async function completeSignIn(
  now: Date,
  { stepId, address, ...proof }: Attempt,
): Promise<{ sessionId: string } | 'wrong' | 'expired'> {
  const step = await secondStepOf(stepId, now);
  if (!step) return 'expired';
  const { userId, email } = step;
  await throttleCode(userId, email, address);
  await limitWrongCodes(now, userId, email, address);
  const method = methodOf(proof);
  const accepted = await take({ userId, stepId, method, text: 'passkey' in proof ? proof.passkey : proof.code }, now);
  if (!accepted) {
    recordFailure(now, { userId, outcome: 'wrong_second_factor', method, address });
    return 'wrong';
  }
  await refundCode(userId, address);
  const sessionId = await endSecondStep(now, stepId, { userId, method, address });
  return sessionId === null ? 'expired' : { sessionId };
}

type Taken = { userId: string; stepId: string; method: ReturnType<typeof methodOf>; text: string };

function methodOf(proof: Proof): 'passkey' | 'totp' | 'recovery_code' {
  if ('passkey' in proof) return 'passkey';
  return TOTP_CODE.test(proof.code) ? 'totp' : 'recovery_code';
}

function take({ userId, stepId, method, text }: Taken, now: Date): Promise<boolean> {
  if (method === 'passkey') return takePasskey(now, { userId, holder: stepId, response: text });
  return method === 'totp' ? takeTotpCode(userId, text, now) : takeRecoveryCode(userId, text, now);
}

/** The ways to complete a sign-in, besides recovery codes. `passkeys` is null if the user cannot use a passkey. */
export type StepMethods = { totp: boolean; passkeys: Awaited<ReturnType<typeof passkeySignInOptions>> };

/** Returns the ways to complete a sign-in, or null if the user must start the sign-in over. */
export async function stepMethods(stepId: string, now: Date): Promise<StepMethods | null> {
  const step = await secondStepOf(stepId, now);
  if (!step) return null;
  const { totp_since } = await secondFactorsOf(step.userId);
  return { totp: totp_since !== null, passkeys: await passkeySignInOptions(now, step.userId, stepId) };
}
