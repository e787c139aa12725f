import { type Db, db } from '@/lib/platform/db';
import type { Role } from '@/lib/platform/generated/prisma/client';
import { newId } from '@/lib/platform/ids';
import { hasSecondFactor } from './second-factor';
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
  /** Whether the tenant requires a second factor that the user has not set up yet. */
  lacksSecondFactor: boolean;
};

/**
 * Returns the member of a session. Returns null if the session has ended or expired, or if the user is no longer a
 * member. Every request to the Control Center calls this function, so the end of a session or of a membership takes
 * effect immediately.
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
  return { sessionId, userId, name, email, role, tenantId, tenantName: tenant.name, lacksSecondFactor };
}

type Opening = { userId: string; method: SignInMethod; address: string };

/** Begins a session, records the sign-in, and returns the id of the session. */
export async function createSession(now: Date, { userId, method, address }: Opening): Promise<string> {
  const expiresAt = new Date(now.getTime() + SESSION_HOURS * 3_600_000);
  const session = { id: newId('ses'), userId, createdAt: now, expiresAt };
  await db().session.create({ data: session });
  await recordSignIn(now, { userId, outcome: 'signed_in', method, address });
  return session.id;
}

/** Number of minutes within which the user must complete the second step of a sign-in. */
const STEP_MINUTES = 10;

/**
 * Continues a sign-in after the password or the response of the OpenID provider was accepted. Begins a session or, if
 * the user has a second factor, a second step. Returns the id of the session or second step, which the session cookie
 * then contains. `memberOf` accepts only the id of a session.
 */
export async function openSession(now: Date, opening: Opening): Promise<string> {
  const { userId } = opening;
  if (!(await hasSecondFactor(db(), userId))) return createSession(now, opening);
  const expiresAt = new Date(now.getTime() + STEP_MINUTES * 60_000);
  const { id } = await db().secondStep.create({ data: { id: newId('sst'), userId, createdAt: now, expiresAt } });
  return id;
}

/**
 * Ends all sessions of a user except `keep`, and all sign-ins of the user that wait for a second factor. If `keep` is
 * null, ends every session.
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
