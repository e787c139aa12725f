import { db } from '@/lib/platform/db';
import type { Role } from '@/lib/platform/generated/prisma/client';

/** A signed-in person in their tenant. */
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
 * Returns who a session belongs to, or null when it has ended, run out, or its person is no member any more. Asked on
 * every call: ending a session or a membership takes effect at once.
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

/** Ends a session at once. One that has ended stays as it is. */
export async function endSession(sessionId: string, now: Date): Promise<void> {
  await db().session.updateMany({ where: { id: sessionId, endedAt: null }, data: { endedAt: now } });
}
