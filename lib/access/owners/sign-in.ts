import { AppError } from '@/lib/contract/errors/app-error';
import { type Db, db, pool } from '@/lib/platform/db';
import { networkOf } from '@/lib/platform/rate-limit/network';
import { consumeAttempt, refundAttempt } from '@/lib/platform/rate-limit/rate-limit';
import { bind, param, statement } from '@/lib/platform/sql';
import { lockAddress } from './accounts';
import { proveAddress } from './address-proof';
import { typedAddress } from './email';
import { CAN_ENTER } from './memberships';
import { withPassword } from './password-hash';
import { openSession, type SigningIn } from './session';
import { type Delay, refundAccount, turnOf } from './sign-in-delay';
import { countSignIn, recordFailureLater } from './sign-in-record';

/** Per minute, on all accounts together. */
const ATTEMPTS_OF_ADDRESS = 30;
/** Per minute. From many addresses, attempts are delayed instead, because a limit would lock the user out. */
const ATTEMPTS_OF_ACCOUNT_AND_ADDRESS = 6;

type Attempt = {
  email: string;
  password: string;
  address: string;
  /** See `Delay`. Empty without one. */
  ticket: string;
  /** The tenant that the person wants to open, or an empty string. */
  tenantId: string;
  browser?: SigningIn;
};

/** Accounts with one address whose passwords are compared. */
const MAX_ACCOUNTS = 200;

type Account = {
  id: string;
  passwordHash: string | null;
  passwordExpiresAt: Date | null;
  /** The account is proven, or belongs to the tenant that the person wants to open. */
  addressed: boolean;
};

// First the account of the tenant that the person wants to open, then the proven one, then the one used last.
const ACCOUNTS = statement<Account>('sign-in-accounts')`
  SELECT u.id, u.password_hash AS "passwordHash", u.password_expires_at AS "passwordExpiresAt",
    u.address_proven_at IS NOT NULL OR m.wanted IS TRUE AS addressed
  FROM users u CROSS JOIN LATERAL (
    SELECT bool_or(tenant_id = ${param.text('tenantId')}) AS wanted, max(last_used_at) AS used_at
    FROM memberships WHERE user_id = u.id) m
  WHERE u.email = ${param.text('email')} AND ${CAN_ENTER}
  ORDER BY m.wanted IS TRUE DESC, u.address_proven_at IS NULL, m.used_at DESC NULLS LAST, u.id LIMIT ${MAX_ACCOUNTS}`;

/**
 * Signs in with an email address and a password, to the first account in the order of `ACCOUNTS`. Returns the id of the
 * new session or second step, the delay of an attempt that must wait, or null. This takes the same time for every
 * address.
 * @throws AppError rate_limited after too many attempts within a minute.
 */
export async function signIn(attempt: Attempt, now: Date): Promise<{ sessionId: string } | { delay: Delay } | null> {
  const { password, address, ticket, tenantId, browser } = attempt;
  const email = typedAddress(attempt.email);
  await throttleAccount(email, address);
  const { delay, crowded } = await turnOf({ account: email, address, ticket }, now);
  if (delay) {
    countSignIn('delayed');
    return { delay };
  }
  const { rows: accounts } = await pool().query<Account>(bind(ACCOUNTS, { email, tenantId }));
  const matches = await withPassword(accounts, { email, password });
  // An expired password of the operator is refused like a wrong one.
  const match = matches.find(({ passwordExpiresAt }) => passwordExpiresAt === null || passwordExpiresAt > now);
  if (!match) {
    // An unproven account sees an attempt only if it was made for its tenant, or among so many that they are an attack.
    // An owner can add an account with any address, and would otherwise see from a failure, or from a missing one, that
    // its real user signs in elsewhere.
    const userIds = accounts.filter(({ addressed }) => addressed || crowded).map(({ id }) => id);
    const failure = { outcome: 'wrong_password', method: 'password', address: crowded ? null : address } as const;
    if (accounts.length > 0) recordFailureLater(now, { userIds, ...failure });
    else countSignIn('unknown_user');
    return null;
  }
  await Promise.all([refundSignInAttempts(email, address), refundAccount(email)]);
  const opening = { userId: match.id, method: 'password', address, ...(browser && { browser }) } as const;
  const sessionId = await openSession(now, opening, match.passwordHash);
  return sessionId === null ? null : { sessionId };
}

/** The provider has verified the email address. `authenticatedAt` is when the user last proved their identity to it. */
type ProviderUser = { issuer: string; subject: string; email: string; authenticatedAt?: Date };

/**
 * Signs in a user of the OpenID provider. The first sign-in proves the address of an account, and binds the user to it.
 * Returns the id of the new session or second step, `unknown` if no member has this email address, or `other_identity`
 * if the account is bound to another user.
 */
export async function signInVerified(
  now: Date,
  user: ProviderUser,
  address: string,
  browser?: SigningIn,
): Promise<{ sessionId: string } | 'unknown' | 'other_identity'> {
  const found = await db().$transaction((tx) => accountOf(tx, now, user));
  if (found === null) return 'unknown';
  const { userId, bound } = found;
  if (!bound) {
    recordFailureLater(now, { userIds: [userId], outcome: 'wrong_identity', method: 'provider', address });
    return 'other_identity';
  }
  const { authenticatedAt } = user;
  const provenAt = authenticatedAt && authenticatedAt < now && { provenAt: authenticatedAt };
  const opening = { userId, method: 'provider', address, ...(browser && { browser }), ...provenAt } as const;
  const sessionId = await openSession(now, opening, null);
  return sessionId === null ? 'unknown' : { sessionId };
}

/** `bound`: to this user. Null without an account. */
async function accountOf(tx: Db, now: Date, { issuer, subject, email }: ProviderUser) {
  await lockAddress(tx, email, now);
  const identity = await tx.userIdentity.findUnique({
    where: { issuer_subject: { issuer, subject } },
    include: { user: { select: { email: true } } },
  });
  // The address of a user can change at the provider. The account keeps the address with which it was bound.
  if (identity && identity.user.email !== email) return { userId: identity.userId, bound: true };
  const other = await tx.userIdentity.findFirst({ where: { issuer, subject: { not: subject }, user: { email } } });
  if (other) return { userId: other.userId, bound: false };
  const userId = await proveAddress(tx, now, { email });
  if (userId === null) return null;
  if (!identity) await tx.userIdentity.create({ data: { issuer, subject, userId, createdAt: now } });
  return { userId, bound: true };
}

/** Counts an attempt to sign in. @throws AppError rate_limited, for the address or for both. */
export async function throttleAccount(account: string, address: string): Promise<void> {
  await throttleAddress(address);
  await throttle(`${account} ${networkOf(address)}`, ATTEMPTS_OF_ACCOUNT_AND_ADDRESS);
}

/** Subtracts one successful attempt. Counters at zero would give attackers with an account more guesses for others. */
export async function refundSignInAttempts(account: string, address: string): Promise<void> {
  const network = networkOf(address);
  await Promise.all([refundAttempt(`sign-in:${account} ${network}`), refundAttempt(`sign-in:${network}`)]);
}

/** Counts an attempt to gain access against the limit of the address. @throws AppError rate_limited. */
export async function throttleAddress(address: string): Promise<void> {
  await throttle(networkOf(address), ATTEMPTS_OF_ADDRESS);
}

async function throttle(name: string, limit: number): Promise<void> {
  const quota = await consumeAttempt(`sign-in:${name}`, limit);
  if (quota.exceeded) throw new AppError('rate_limited', { retryAfter: quota.retryAfter });
}
