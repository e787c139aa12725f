import { AppError } from '@/lib/contract/errors/app-error';
import { pool } from '@/lib/platform/db';
import { consumeAttempt, refundAttempt } from '@/lib/platform/rate-limit/rate-limit';
import { bind, param, statement } from '@/lib/platform/sql';
import { refundSignInAttempts, throttleAccount } from './sign-in';
import { hasUserSignedInFrom } from './sign-in-record';

/** Per minute, over all addresses, because codes are short. Networks of earlier sign-ins are exempt. */
const ATTEMPTS_OF_ACCOUNT = 10;

/** Someone with the password and ten codes per minute would otherwise find a valid code within a month. */
const WRONG_CODES_OF_DAY = 100;
const DAY = 86_400_000;
const RETRY_AFTER_SECONDS = 3_600;

const WRONG_CODES = statement<{ wrong: number }>('sign-in-wrong-codes')`
  SELECT coalesce(sum(attempts), 0)::int AS wrong FROM sign_ins
  WHERE user_id = ${param.text('userId')} AND outcome = 'wrong_second_factor' AND at > ${param.timestamptz('since')}`;

const nameOf = (userId: string) => `second-factor ${userId}`;

/** Counts a second-factor attempt. On the account, networks of earlier sign-ins are exempt. @throws rate_limited. */
export async function throttleCode(userId: string, address: string): Promise<void> {
  await throttleAccount(nameOf(userId), address);
  await limitAttempts(nameOf(userId), userId, address);
}

async function limitAttempts(name: string, userId: string, address: string): Promise<void> {
  const { exceeded, retryAfter } = await consumeAttempt(name, ATTEMPTS_OF_ACCOUNT);
  if (exceeded && !(await hasUserSignedInFrom(userId, address))) throw new AppError('rate_limited', { retryAfter });
}

const passwordOf = (userId: string) => `password ${userId}`;

type Enters = { userId: string; email: string };

/** Counts an entered password like a sign-in, and against `ATTEMPTS_OF_ACCOUNT`. @throws AppError rate_limited. */
export async function throttlePassword({ userId, email }: Enters, address: string): Promise<void> {
  await throttleAccount(email, address);
  await limitAttempts(passwordOf(userId), userId, address);
}

/** Subtracts a successful attempt from the counters of `throttlePassword`. */
export async function refundPassword({ userId, email }: Enters, address: string): Promise<void> {
  await Promise.all([refundSignInAttempts(email, address), refundAttempt(passwordOf(userId))]);
}

/** Refuses networks without an earlier sign-in after too many wrong codes. @throws AppError rate_limited. */
export async function limitWrongCodes(now: Date, userId: string, address: string): Promise<void> {
  const since = new Date(now.getTime() - DAY);
  const { rows } = await pool().query<{ wrong: number }>(bind(WRONG_CODES, { userId, since }));
  if ((rows[0]?.wrong ?? 0) < WRONG_CODES_OF_DAY || (await hasUserSignedInFrom(userId, address))) return;
  throw new AppError('rate_limited', { retryAfter: RETRY_AFTER_SECONDS });
}

/** Subtracts a successful attempt from the counters of `throttleCode`. */
export async function refundCode(userId: string, address: string): Promise<void> {
  await Promise.all([refundSignInAttempts(nameOf(userId), address), refundAttempt(nameOf(userId))]);
}
