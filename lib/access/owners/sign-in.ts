import { hash, verify } from '@node-rs/argon2';
import { AppError } from '@/lib/contract/errors/app-error';
import { db } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { networkOf } from '@/lib/platform/rate-limit/network';
import { consumeAttempt, refundAttempt } from '@/lib/platform/rate-limit/rate-limit';
import { singleton } from '@/lib/platform/singleton';

/** Hours that a session lasts, whatever happens in it. */
export const SESSION_HOURS = 8;

// Failures wait, never lock: the owner can always sign in from an address that is not guessing, and from any address
// a minute later.
const ATTEMPTS_OF_ADDRESS = 30;
const ATTEMPTS_OF_ACCOUNT_AND_ADDRESS = 6;

type Attempt = { email: string; password: string; address: string };

/** Returns the hash of nobody's password: checking it costs an unknown user the time that a known one takes. */
function nobodysHash(): Promise<string> {
  return singleton('owners:nobody', () => hash(newId('usr')));
}

/**
 * Returns the user with this e-mail address and password, else null; an unknown user takes the time of a wrong password.
 * @throws AppError rate_limited after too many attempts in a minute.
 */
export async function checkPassword({ email, password, address }: Attempt) {
  const account = email.trim().toLowerCase();
  await throttleAccount(account, address);
  const user = await db().user.findUnique({ where: { email: account }, include: { memberships: { take: 1 } } });
  const matches = await verify(user?.passwordHash ?? (await nobodysHash()), password);
  if (!user || !matches) return null;
  await forgiveAttempt(account, address);
  return user;
}

/**
 * Checks an e-mail address and a password and begins a session; returns the session's id, or null with the same
 * answer in the same time for an unknown user and a wrong password.
 * @throws AppError rate_limited after too many attempts in a minute.
 */
export async function signIn(attempt: Attempt, now: Date): Promise<string | null> {
  const user = await checkPassword(attempt);
  return user && user.memberships.length > 0 ? beginSession(user.id, now) : null;
}

/**
 * Begins a session for whom a trusted provider has vouched, by e-mail address; returns the session's id, or null when
 * nobody here has that address.
 */
export async function signInVouched(email: string, now: Date): Promise<string | null> {
  const where = { email: email.trim().toLowerCase(), memberships: { some: {} } };
  const user = await db().user.findFirst({ where, select: { id: true } });
  return user && beginSession(user.id, now);
}

async function beginSession(userId: string, now: Date): Promise<string> {
  const expiresAt = new Date(now.getTime() + SESSION_HOURS * 3_600_000);
  const session = { id: newId('ses'), userId, createdAt: now, expiresAt };
  await db().session.create({ data: session });
  return session.id;
}

/**
 * Counts one attempt on an account from an address.
 * @throws AppError rate_limited after too many of the address, or on the account from there, in a minute.
 */
export async function throttleAccount(account: string, address: string): Promise<void> {
  await throttleAddress(address);
  await throttle(`${account} ${networkOf(address)}`, ATTEMPTS_OF_ACCOUNT_AND_ADDRESS);
}

/**
 * Takes back what the attempt with the right password counted, and no more: whoever has an account of their own must
 * not win guesses at another by signing in.
 */
export async function forgiveAttempt(account: string, address: string): Promise<void> {
  const network = networkOf(address);
  await Promise.all([refundAttempt(`sign-in:${account} ${network}`), refundAttempt(`sign-in:${network}`)]);
}

/**
 * Counts one attempt of an address at anything that a stranger may try.
 * @throws AppError rate_limited after too many in a minute.
 */
export async function throttleAddress(address: string): Promise<void> {
  await throttle(networkOf(address), ATTEMPTS_OF_ADDRESS);
}

async function throttle(name: string, limit: number): Promise<void> {
  const quota = await consumeAttempt(`sign-in:${name}`, limit);
  if (quota.exceeded) throw new AppError('rate_limited', { retryAfter: quota.retryAfter });
}
