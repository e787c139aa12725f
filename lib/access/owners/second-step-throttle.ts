import { AppError } from '@/lib/contract/errors/app-error';
import { consumeAttempt, refundAttempt } from '@/lib/platform/rate-limit/rate-limit';
import { refundSignInAttempts, throttleAccount } from './sign-in';
import { hasSignedInFrom } from './sign-in-record';

/**
 * Maximum number of attempts at the second factor of one account per minute, from all addresses together. The limit is
 * necessary because codes are short. Only someone who knows the password can reach this limit, so an attacker without
 * the password cannot lock the member out. The limit does not apply to addresses from whose network the member has
 * signed in.
 */
const ATTEMPTS_OF_ACCOUNT = 10;

const nameOf = (userId: string) => `second-factor ${userId}`;

/**
 * Counts one attempt at the second factor of a user.
 * @throws AppError rate_limited after too many attempts within a minute.
 */
export async function throttleCode(userId: string, email: string, address: string): Promise<void> {
  await throttleAccount(nameOf(userId), address);
  const { exceeded, retryAfter } = await consumeAttempt(nameOf(userId), ATTEMPTS_OF_ACCOUNT);
  if (exceeded && !(await hasSignedInFrom(email, address))) throw new AppError('rate_limited', { retryAfter });
}

/** Subtracts one successful attempt that `throttleCode` counted. */
export async function refundCode(userId: string, address: string): Promise<void> {
  await Promise.all([refundSignInAttempts(nameOf(userId), address), refundAttempt(nameOf(userId))]);
}
