import { type Db, db, pool } from '@/lib/platform/db';
import { env } from '@/lib/platform/env';
import type { Role } from '@/lib/platform/generated/prisma/client';
import { isId, newId } from '@/lib/platform/ids';
import { networkOf } from '@/lib/platform/rate-limit/network';
import { bind, param, sql, statement } from '@/lib/platform/sql';
import { browserName } from './browser-name';
import { CAN_ENTER } from './memberships';
import { hasSecondFactor, lockUser } from './second-factor';
import { countSignIn, recordSignIn, type SignInMethod } from './sign-in-record';

/** Lifetime of a session in hours. Activity does not extend it. */
export const SESSION_HOURS = 8;

const minutesBefore = (now: Date, minutes: number) => new Date(now.getTime() - minutes * 60_000);

/** Returns the time since which a session must have been used. */
export function idleLimit(now: Date): Date {
  return minutesBefore(now, env().SESSION_IDLE_MINUTES);
}

/** A signed-in person. */
export type SignedIn = {
  sessionId: string;
  userId: string;
  name: string;
  email: string;
  /** Whether the address is proven. If not, the account belongs to one tenant. */
  addressProven: boolean;
  /**
   * If true, the sign-in used a password that the operator issued, and the session allows only a change of the password.
   */
  mustChangePassword: boolean;
  /** When the user last proved who they are in this session: at the sign-in, or with `confirmSession`. */
  confirmedAt: Date;
};

/** A signed-in member of a tenant. */
export type Member = SignedIn & {
  role: Role;
  tenantId: string;
  tenantName: string;
  /** Whether the operator has suspended the tenant. Its members can then only read. */
  suspended: boolean;
  /** Whether the tenant requires a second factor that the user lacks. */
  lacksSecondFactor: boolean;
  /** When the session was last used, to the minute. */
  lastUsedAt: Date;
};

/**
 * What a session may access in a tenant. For a member of the tenant, this is the membership. `outsider` means that
 * the person is a member only of other tenants or that the tenant does not exist. Null means that there is no valid
 * session.
 */
export type Access = Member | 'outsider' | null;

type PersonRow = {
  user_id: string;
  name: string;
  email: string;
  address_proven: boolean;
  confirmed_at: Date;
  must_change_password: boolean;
};

/** A session that has not ended, of a person who can enter. */
const USABLE = sql`s.id = ${param.text('sessionId')} AND s.ended_at IS NULL AND s.expires_at > ${param.timestamptz('now')}
    AND s.last_used_at > ${param.timestamptz('idleLimit')}
    AND ${CAN_ENTER}`;

const PERSON = sql`s.user_id, u.name, u.email, u.address_proven_at IS NOT NULL AS address_proven, s.must_change_password,
    coalesce(s.confirmed_at, s.created_at) AS confirmed_at`;

const SIGNED_IN = statement<PersonRow>('session-person')`
  SELECT ${PERSON} FROM sessions s JOIN users u ON u.id = s.user_id WHERE ${USABLE}`;

function personOf(sessionId: string, row: PersonRow): SignedIn {
  const { user_id: userId, name, email, address_proven: addressProven } = row;
  const { must_change_password: mustChangePassword, confirmed_at: confirmedAt } = row;
  return { sessionId, userId, name, email, addressProven, mustChangePassword, confirmedAt };
}

/**
 * Returns the person who is signed in with a session. Returns null if the session has ended, has expired, or was
 * not used for too long, or if the person is no longer a member of any tenant and can take over no account.
 */
export async function signedInOf(sessionId: string, now: Date): Promise<SignedIn | null> {
  const { rows } = await pool().query<PersonRow>(bind(SIGNED_IN, { sessionId, now, idleLimit: idleLimit(now) }));
  return rows[0] ? personOf(sessionId, rows[0]) : null;
}

type MemberRow = PersonRow & {
  role: Role | null;
  tenant_name: string;
  suspended: boolean;
  requires_second_factor: boolean;
  last_used_at: Date;
  opened: boolean;
};

const MEMBER = statement<MemberRow>('session-member')`
  SELECT ${PERSON}, m.role::text AS role, t.name AS tenant_name, t.suspended_at IS NOT NULL AS suspended,
    t.require_second_factor AS requires_second_factor, s.last_used_at,
    m.tenant_id = ANY (s.opened) AS opened
  FROM sessions s JOIN users u ON u.id = s.user_id
    LEFT JOIN memberships m ON m.user_id = s.user_id AND m.tenant_id = ${param.text('tenantId')}
    LEFT JOIN tenants t ON t.id = m.tenant_id
  WHERE ${USABLE}`;

/**
 * Returns what a session may access in a tenant. Called for every page and every call within a tenant, so the end of a
 * session or membership takes effect immediately. Returns `outsider` both for an unknown tenant and for a tenant of
 * which the person is not a member, so nobody learns which tenants exist. The first call for a tenant records the sign-in
 * there.
 */
export async function memberOf(sessionId: string, now: Date, tenantId: string): Promise<Access> {
  const { rows } = await pool().query<MemberRow>(bind(MEMBER, { sessionId, now, idleLimit: idleLimit(now), tenantId }));
  const [found] = rows;
  if (!found) return null;
  const person = personOf(sessionId, found);
  const { role, tenant_name: tenantName, suspended, last_used_at: lastUsedAt, opened } = found;
  if (role === null) return 'outsider';
  if (!opened) await recordSignIn(now, sessionId, tenantId);
  const lacksSecondFactor = found.requires_second_factor && !(await hasSecondFactor(db(), person.userId));
  return { ...person, role, tenantId, tenantName, suspended, lacksSecondFactor, lastUsedAt };
}

const USE = statement<never>('session-use')`
  UPDATE sessions SET last_used_at = ${param.timestamptz('now')}
  WHERE id = ${param.text('sessionId')} AND ended_at IS NULL AND last_used_at <= ${param.timestamptz('minuteAgo')}`;

/** Records that a person uses a session, at most once a minute. */
export async function recordSessionUse(now: Date, { sessionId, lastUsedAt }: Member): Promise<void> {
  const minuteAgo = minutesBefore(now, 1);
  if (lastUsedAt <= minuteAgo) await pool().query(bind(USE, { now, minuteAgo, sessionId }));
}

/** What the browser sends with a sign-in. `replaces` is the session or second step in the cookie that it still has. */
export type SigningIn = { userAgent: string | null; replaces: string | null };

/** `provenAt` is when the OpenID provider last authenticated the person, if it says so and this is not now. */
type Opening = { userId: string; method: SignInMethod; address: string; browser?: SigningIn; provenAt?: Date };

/** The longest text of an address that is stored. A longer one is not an address. */
const MAX_NETWORK = 64;

async function createSession(tx: Db, now: Date, opening: Opening, mustChangePassword: boolean): Promise<string> {
  const { userId, address, browser, method, provenAt: confirmedAt = null } = opening;
  const expiresAt = new Date(now.getTime() + SESSION_HOURS * 3_600_000);
  const network = networkOf(address).slice(0, MAX_NETWORK) || null;
  const seen = { network, browser: browserName(browser?.userAgent ?? null) };
  const times = { createdAt: now, lastUsedAt: now, expiresAt, confirmedAt };
  const session = { id: newId('ses'), userId, method, mustChangePassword, ...times, ...seen };
  await tx.session.create({ data: session });
  return session.id;
}

async function begin(now: Date, sessionId: string): Promise<void> {
  countSignIn('signed_in');
  await recordSignIn(now, sessionId, null);
}

/** Ends the session or the second step whose cookie the new sign-in replaces, whoever it belongs to. */
async function endReplaced(tx: Db, now: Date, id: string): Promise<void> {
  await tx.session.updateMany({ where: { id, endedAt: null }, data: { endedAt: now } });
  await tx.secondStep.deleteMany({ where: { id } });
}

/** Lifetime in minutes of the second step of a sign-in. */
const STEP_MINUTES = 10;

/**
 * Continues a sign-in after the password or the response of the OpenID provider was accepted. Starts a second step if
 * the user has a second factor, otherwise a session. Returns the id of the step or session, which is stored in the
 * session cookie. `memberOf` grants no access for the id of a second step.
 *
 * When a user sets a new password or adds a second factor, all other sessions of that user end. This function locks
 * the row of the user, so it runs either before or after such a change. If it runs before, the change ends the new
 * session. If it runs after, it refuses the old password or starts a second step.
 *
 * The session that the same browser used before also ends, because the browser forgets its cookie.
 * @param passwordHash the hash with which the password was compared; null after a sign-in through the provider.
 * @returns null if the user's password has changed since the comparison.
 */
export async function openSession(now: Date, opening: Opening, passwordHash: string | null): Promise<string | null> {
  const { userId } = opening;
  const id = await db().$transaction(async (tx) => {
    await lockUser(tx, userId);
    if (passwordHash !== null && (await tx.user.count({ where: { id: userId, passwordHash } })) === 0) return null;
    const issued = { id: userId, passwordExpiresAt: { not: null } };
    const mustChangePassword = passwordHash !== null && (await tx.user.count({ where: issued })) > 0;
    if (opening.browser?.replaces) await endReplaced(tx, now, opening.browser.replaces);
    if (!(await hasSecondFactor(tx, userId))) return createSession(tx, now, opening, mustChangePassword);
    const expiresAt = new Date(now.getTime() + STEP_MINUTES * 60_000);
    const data = { id: newId('sst'), userId, createdAt: now, expiresAt, mustChangePassword };
    return (await tx.secondStep.create({ data })).id;
  });
  if (id !== null && isId('ses', id)) await begin(now, id);
  return id;
}

/**
 * Completes the second step of a sign-in and starts the session. Returns the session's id, or null if the step had
 * already ended, for example because the password was changed.
 */
export async function endSecondStep(now: Date, stepId: string, opening: Opening): Promise<string | null> {
  const { userId } = opening;
  const id = await db().$transaction(async (tx) => {
    await lockUser(tx, userId);
    const step = await tx.secondStep.findUnique({ where: { id: stepId, userId } });
    const { count } = await tx.secondStep.deleteMany({ where: { id: stepId, userId } });
    return step && count > 0 ? createSession(tx, now, opening, step.mustChangePassword) : null;
  });
  if (id !== null) await begin(now, id);
  return id;
}

/**
 * Ends all sessions of a user except the session `keep`. If `keep` is null, ends all sessions. Also ends all of the
 * user's sign-ins that wait for a second factor, and the unfinished setup of an authenticator app: whoever has started it
 * knows its secret, and would otherwise need no further proof.
 */
export async function endOtherSessions(tx: Db, userId: string, now: Date, keep: string | null): Promise<void> {
  const others = { userId, endedAt: null, ...(keep !== null && { id: { not: keep } }) };
  await tx.session.updateMany({ where: others, data: { endedAt: now } });
  await tx.secondStep.deleteMany({ where: { userId } });
  await tx.totpFactor.deleteMany({ where: { userId, confirmedAt: null } });
}

/** Ends a session. Does nothing if the session has already ended. */
export async function endSession(sessionId: string, now: Date): Promise<void> {
  await db().session.updateMany({ where: { id: sessionId, endedAt: null }, data: { endedAt: now } });
}
