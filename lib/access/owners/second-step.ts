import { db } from '@/lib/platform/db';
import { takeRecoveryCode } from './recovery-codes';
import { refundCode, throttleCode } from './second-step-throttle';
import { createSession } from './session';
import { recordFailure } from './sign-in-record';
import { takeTotpCode } from './totp';

/** A code of an authenticator app; all other codes are recovery codes. */
const TOTP_CODE = /^\s*\d{3}\s*\d{3}\s*$/;

/** A sign-in that waits for the second factor. */
export type SecondStep = { userId: string; email: string };

/** Returns the sign-in that waits for the second factor, or null if it has ended or expired. */
export async function secondStepOf(stepId: string, now: Date): Promise<SecondStep | null> {
  const where = { id: stepId, expiresAt: { gt: now } };
  const step = await db().secondStep.findFirst({ where, include: { user: { select: { email: true } } } });
  return step && { userId: step.userId, email: step.user.email };
}

type Attempt = { stepId: string; code: string; address: string };

/**
 * Completes a sign-in with a code of the authenticator app or a recovery code. Returns the id of the new session, `wrong`
 * for a code that is wrong or was used before, or `expired` if the sign-in must begin again.
 * @throws AppError rate_limited after too many attempts within a minute.
 */
export async function completeSignIn(
  now: Date,
  { stepId, code, address }: Attempt,
): Promise<{ sessionId: string } | 'wrong' | 'expired'> {
  const step = await secondStepOf(stepId, now);
  if (!step) return 'expired';
  const { userId, email } = step;
  await throttleCode(userId, email, address);
  const method = TOTP_CODE.test(code) ? 'totp' : 'recovery_code';
  const accepted = await (method === 'totp' ? takeTotpCode : takeRecoveryCode)(userId, code, now);
  if (!accepted) {
    recordFailure(now, { userId, outcome: 'wrong_second_factor', method, address });
    return 'wrong';
  }
  await refundCode(userId, address);
  const { count } = await db().secondStep.deleteMany({ where: { id: stepId } });
  if (count === 0) return 'expired';
  return { sessionId: await createSession(now, { userId, method, address }) };
}
