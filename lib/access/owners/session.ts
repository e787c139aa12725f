import { type Db, db, pool } from '@/lib/platform/db';
import type { Role } from '@/lib/platform/generated/prisma/client';
import { isId, newId } from '@/lib/platform/ids';
import { bind, param, statement } from '@/lib/platform/sql';
import { hasSecondFactor, lockUser } from './second-factor';
import { recordSignIn, type SignInMethod } from './sign-in-record';

/** Lifetime of a session in hours. Activity does not extend it. */
export const SESSION_HOURS = 8;

/** A signed-in person. */
export type SignedIn = { sessionId: string; userId: string; name: string; email: string };

/** A signed-in member of a tenant. */
export type Member = SignedIn & {
  role: Role;
  tenantId: string;
  tenantName: string;
  /** Whether the operator has suspended the tenant. Its members can then only read. */
  suspended: boolean;
  /** Whether another cell serves the tenant. Such a tenant is suspended in this cell. */
  elsewhere: boolean;
  /** Whether the tenant requires a second factor that the user lacks. */
  lacksSecondFactor: boolean;
};

/**
 * What a session may access in a tenant. For a member of the tenant, this is the membership. `outsider` means that
 * the person is a member only of other tenants or that the tenant does not exist. Null means that there is no valid
 * session.
 */
export type Access = Member | 'outsider' | null;

/**
 * Returns the person who is signed in with a session. Returns null if the session has ended or expired, or if the
 * person is no longer a member of any tenant.
 */
export async function signedInOf(sessionId: string, now: Date): Promise<SignedIn | null> {
  const session = await db().session.findFirst({
    where: { id: sessionId, endedAt: null, expiresAt: { gt: now }, user: { memberships: { some: {} } } },
    include: { user: { select: { name: true, email: true } } },
  });
  return session && { sessionId, userId: session.userId, ...session.user };
}

type MemberRow = {
  user_id: string;
  name: string;
  email: string;
  role: Role | null;
  tenant_name: string;
  suspended: boolean;
  elsewhere: boolean;
  requires_second_factor: boolean;
};

const MEMBER = statement<MemberRow>('session-member')`
  SELECT s.user_id, u.name, u.email, m.role::text AS role, t.name AS tenant_name,
    t.suspended_at IS NOT NULL AS suspended, t.elsewhere_since IS NOT NULL AS elsewhere, t.require_second_factor AS requires_second_factor
  FROM sessions s JOIN users u ON u.id = s.user_id
    LEFT JOIN memberships m ON m.user_id = s.user_id AND m.tenant_id = ${param.text('tenantId')}
    LEFT JOIN tenants t ON t.id = m.tenant_id
  WHERE s.id = ${param.text('sessionId')} AND s.ended_at IS NULL AND s.expires_at > ${param.timestamptz('now')}
    AND EXISTS (SELECT FROM memberships WHERE user_id = s.user_id)`;

/**
 * Returns what a session may access in a tenant. Called for every page and every call within a tenant, so the end of a
 * session or membership takes effect immediately. Returns `outsider` both for an unknown tenant and for a tenant of
 * which the person is not a member, so nobody learns which tenants exist.
 */
export async function memberOf(sessionId: string, now: Date, tenantId: string): Promise<Access> {
  const { rows } = await pool().query<MemberRow>(bind(MEMBER, { sessionId, now, tenantId }));
  const [found] = rows;
  if (!found) return null;
  const { user_id: userId, name, email, role, tenant_name: tenantName, suspended, elsewhere } = found;
  if (role === null) return 'outsider';
  const lacksSecondFactor = found.requires_second_factor && !(await hasSecondFactor(db(), userId));
  return { sessionId, userId, name, email, role, tenantId, tenantName, suspended, elsewhere, lacksSecondFactor };
}

type Opening = { userId: string; method: SignInMethod; address: string };

async function createSession(tx: Db, now: Date, userId: string): Promise<string> {
  const expiresAt = new Date(now.getTime() + SESSION_HOURS * 3_600_000);
  const session = { id: newId('ses'), userId, createdAt: now, expiresAt };
  await tx.session.create({ data: session });
  return session.id;
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
 * @param passwordHash the hash with which the password was compared; null after a sign-in through the provider.
 * @returns null if the user's password has changed since the comparison.
 */
export async function openSession(now: Date, opening: Opening, passwordHash: string | null): Promise<string | null> {
  const { userId } = opening;
  const id = await db().$transaction(async (tx) => {
    await lockUser(tx, userId);
    if (passwordHash !== null && (await tx.user.count({ where: { id: userId, passwordHash } })) === 0) return null;
    if (!(await hasSecondFactor(tx, userId))) return createSession(tx, now, userId);
    const expiresAt = new Date(now.getTime() + STEP_MINUTES * 60_000);
    const step = await tx.secondStep.create({ data: { id: newId('sst'), userId, createdAt: now, expiresAt } });
    return step.id;
  });
  if (id !== null && isId('ses', id)) await recordSignIn(now, { ...opening, outcome: 'signed_in' });
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
    const { count } = await tx.secondStep.deleteMany({ where: { id: stepId, userId } });
    return count === 0 ? null : createSession(tx, now, userId);
  });
  if (id !== null) await recordSignIn(now, { ...opening, outcome: 'signed_in' });
  return id;
}

/**
 * Ends all sessions of a user except the session `keep`. If `keep` is null, ends all sessions. Also ends all of the
 * user's sign-ins that wait for a second factor.
 */
export async function endOtherSessions(tx: Db, userId: string, now: Date, keep: string | null): Promise<void> {
  const others = { userId, endedAt: null, ...(keep !== null && { id: { not: keep } }) };
  await tx.session.updateMany({ where: others, data: { endedAt: now } });
  await tx.secondStep.deleteMany({ where: { userId } });
}

/** Ends a session. Does nothing if the session has already ended. */
export async function endSession(sessionId: string, now: Date): Promise<void> {
  await db().session.updateMany({ where: { id: sessionId, endedAt: null }, data: { endedAt: now } });
}
