import { type Db, db } from '@/lib/platform/db';
import type { Role } from '@/lib/platform/generated/prisma/client';
import { isId, newId } from '@/lib/platform/ids';
import { hasSecondFactor, lockUser } from './second-factor';
import { recordSignIn, type SignInMethod } from './sign-in-record';

/** Lifetime of a session in hours. Activity does not extend it. */
export const SESSION_HOURS = 8;

/** A signed-in member of a tenant. */
export type Member = {
  sessionId: string;
  userId: string;
  name: string;
  email: string;
  role: Role;
  tenantId: string;
  tenantName: string;
  /** Whether the operator has suspended the tenant. Its members can then read everything and change nothing. */
  suspended: boolean;
  /** Whether the tenant requires a second factor that the user has not set up yet. */
  lacksSecondFactor: boolean;
};

/**
 * Returns the member of a session. Returns null if the session has ended or expired, or if the user is no longer a
 * member. Every request to the Control Center calls this function, so the end of a session or membership takes effect
 * immediately.
 */
export async function memberOf(sessionId: string, now: Date): Promise<Member | null> {
  const session = await db().session.findFirst({
    where: { id: sessionId, endedAt: null, expiresAt: { gt: now } },
    include: {
      user: { include: { memberships: { include: { tenant: true }, orderBy: { createdAt: 'asc' }, take: 1 } } },
    },
  });
  const membership = session?.user.memberships[0];
  if (!session || !membership) return null;
  const { id: userId, name, email } = session.user;
  const { role, tenantId, tenant } = membership;
  const lacksSecondFactor = tenant.requireSecondFactor && !(await hasSecondFactor(db(), userId));
  const suspended = tenant.suspendedAt !== null;
  return { sessionId, userId, name, email, role, tenantId, tenantName: tenant.name, suspended, lacksSecondFactor };
}

type Opening = { userId: string; method: SignInMethod; address: string };

async function createSession(tx: Db, now: Date, userId: string): Promise<string> {
  const expiresAt = new Date(now.getTime() + SESSION_HOURS * 3_600_000);
  const session = { id: newId('ses'), userId, createdAt: now, expiresAt };
  await tx.session.create({ data: session });
  return session.id;
}

/** Number of minutes within which the user must complete the second step of a sign-in. */
const STEP_MINUTES = 10;

/**
 * Continues a sign-in after the password or the OpenID provider's response was accepted. Starts a session or, if the
 * user has a second factor, a second step. Returns the id of the session or second step, which becomes the content of
 * the session cookie. The id of a second step gives no access, because `memberOf` does not accept it.
 *
 * A new password or second factor ends all other sessions. Because this function locks the user, such a change happens
 * either before or after this sign-in, never during it. A sign-in whose password was checked just before the change
 * therefore does not outlive the change.
 * @param passwordHash the hash with which the password was compared; null after a sign-in through the provider.
 * @returns null if the user's password has changed since it was compared with `passwordHash`.
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
 * Ends a second step and starts its session. Returns the id of the session, or null if the second step has already
 * ended, for example because the password was changed.
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
 * Ends all sessions of a user except `keep`, and all of the user's sign-ins that are waiting for a second factor. If
 * `keep` is null, ends every session.
 */
export async function endOtherSessions(tx: Db, userId: string, now: Date, keep: string | null): Promise<void> {
  const others = { userId, endedAt: null, ...(keep !== null && { id: { not: keep } }) };
  await tx.session.updateMany({ where: others, data: { endedAt: now } });
  await tx.secondStep.deleteMany({ where: { userId } });
}

/** Ends a session. Has no effect on a session that has already ended. */
export async function endSession(sessionId: string, now: Date): Promise<void> {
  await db().session.updateMany({ where: { id: sessionId, endedAt: null }, data: { endedAt: now } });
}
