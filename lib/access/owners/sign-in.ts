import { hash } from '@node-rs/argon2';
import { AppError } from '@/lib/contract/errors/app-error';
import { db } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { networkOf } from '@/lib/platform/rate-limit/network';
import { consumeAttempt, refundAttempt } from '@/lib/platform/rate-limit/rate-limit';
import { singleton } from '@/lib/platform/singleton';
import { verifyPassword } from './password-hash';
import { openSession, type SigningIn } from './session';
import { type Delay, refundAccount, turnOf } from './sign-in-delay';
import { countSignIn, recordFailure } from './sign-in-record';

/** Maximum number of attempts per minute from one address, on all accounts together. */
const ATTEMPTS_OF_ADDRESS = 30;
/**
 * Maximum number of attempts per minute from one address, on a single account. Attempts on one account from many
 * addresses are delayed, not limited, because a limit would let an attacker lock the user out.
 */
const ATTEMPTS_OF_ACCOUNT_AND_ADDRESS = 6;

type Attempt = {
  email: string;
  password: string;
  address: string;
  /** The ticket from the response to a delayed attempt (see `Delay` in sign-in-delay.ts), or an empty string. */
  ticket: string;
  browser?: SigningIn;
};

/**
 * Returns a hash with which the password of an unknown user is compared, so that the response takes as long as for a
 * known user.
 */
function dummyHash(): Promise<string> {
  return singleton('owners:nobody', () => hash(newId('usr')));
}

/**
 * Returns the user with this email address and password, or null if the address is unknown or the password is wrong.
 * Both cases take the same time. If the client must wait before this attempt, returns the delay without checking the
 * password.
 * @throws AppError rate_limited after too many attempts within a minute.
 */
export async function checkPassword({ email, password, address, ticket }: Attempt, now: Date) {
  const account = email.trim().toLowerCase();
  await throttleAccount(account, address);
  const { delay, crowded } = await turnOf({ account, address, ticket }, now);
  if (delay) {
    countSignIn('delayed');
    return { delay };
  }
  const user = await db().user.findUnique({ where: { email: account }, include: { memberships: { take: 1 } } });
  const matches = await verifyPassword(user?.passwordHash ?? (await dummyHash()), password);
  // A password that the operator issued and that has expired is refused like a wrong one.
  const hasExpired = user?.passwordExpiresAt != null && user.passwordExpiresAt <= now;
  if (!user || !matches || hasExpired) {
    const failure = { outcome: 'wrong_password', method: 'password', address: crowded ? null : address } as const;
    if (user) recordFailure(now, { userId: user.id, ...failure });
    else countSignIn('unknown_user');
    return null;
  }
  await Promise.all([refundSignInAttempts(account, address), refundAccount(account)]);
  return { user };
}

/**
 * Signs in with an email address and a password. Returns the id of the new session, or of the second step if the
 * sign-in needs one. If the attempt must wait, returns the delay instead. Returns null if no member has this email
 * address and password.
 * @throws AppError rate_limited after too many attempts within a minute.
 */
export async function signIn(attempt: Attempt, now: Date): Promise<{ sessionId: string } | { delay: Delay } | null> {
  const checked = await checkPassword(attempt, now);
  if (checked === null) return null;
  const { user, delay } = checked;
  if (delay) return { delay };
  if (user.memberships.length === 0) return null;
  const { address, browser } = attempt;
  const opening = { userId: user.id, method: 'password', address, ...(browser && { browser }) } as const;
  const sessionId = await openSession(now, opening, user.passwordHash);
  return sessionId === null ? null : { sessionId };
}

/**
 * Signs in with an email address that a trusted provider has verified. Returns the id of the new session, or of the
 * second step if the sign-in needs one. Returns null if no member has this email address.
 */
export async function signInVerified(
  email: string,
  address: string,
  now: Date,
  browser?: SigningIn,
): Promise<string | null> {
  const where = { email: email.trim().toLowerCase(), memberships: { some: {} } };
  const user = await db().user.findFirst({ where, select: { id: true } });
  return user && openSession(now, { userId: user.id, method: 'provider', address, ...(browser && { browser }) }, null);
}

/**
 * Counts one attempt to sign in to an account from an address.
 * @throws AppError rate_limited if the address has made too many attempts within a minute, on this account or on all
 *   accounts together.
 */
export async function throttleAccount(account: string, address: string): Promise<void> {
  await throttleAddress(address);
  await throttle(`${account} ${networkOf(address)}`, ATTEMPTS_OF_ACCOUNT_AND_ADDRESS);
}

/**
 * Subtracts one attempt from the counters, because it succeeded. The counters are not set to zero. Otherwise, an
 * attacker with an account could sign in to it to get more guesses for other accounts.
 */
export async function refundSignInAttempts(account: string, address: string): Promise<void> {
  const network = networkOf(address);
  await Promise.all([refundAttempt(`sign-in:${account} ${network}`), refundAttempt(`sign-in:${network}`)]);
}

/**
 * Counts an attempt to gain access, such as a sign-in, against the limit of the client's address.
 * @throws AppError rate_limited after too many attempts within a minute.
 */
export async function throttleAddress(address: string): Promise<void> {
  await throttle(networkOf(address), ATTEMPTS_OF_ADDRESS);
}

async function throttle(name: string, limit: number): Promise<void> {
  const quota = await consumeAttempt(`sign-in:${name}`, limit);
  if (quota.exceeded) throw new AppError('rate_limited', { retryAfter: quota.retryAfter });
}
