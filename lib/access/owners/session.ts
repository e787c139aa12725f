import { db } from '@/lib/platform/db';
import type { Role } from '@/lib/platform/generated/prisma/client';

/** A signed-in member of a tenant. */
export type Member = {
  sessionId: string;
  userId: string;
  name: string;
  email: string;
  role: Role;
  tenantId: string;
  tenantName: string;
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
  return { sessionId, userId, name, email, role, tenantId, tenantName: tenant.name };
}

/** Ends a session. Has no effect on a session that has already ended. */
export async function endSession(sessionId: string, now: Date): Promise<void> {
  await db().session.updateMany({ where: { id: sessionId, endedAt: null }, data: { endedAt: now } });
}
