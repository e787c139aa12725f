import { recordChange } from '@/lib/activity/audit/record';
import { notFound } from '@/lib/contract/errors/app-error';
import { db } from '@/lib/platform/db';
import { endOtherSessions, idleLimit, type Member } from './session';

/** Someone who signs in more often sees those used last. */
const MAX_LISTED = 50;

/** The id gives no access, because the cookie contains it only in encrypted form. */
export type OwnSession = {
  id: string;
  started_at: Date;
  last_used_at: Date;
  network: string | null;
  browser: string | null;
  current: boolean;
};

const usableOf = (userId: string, now: Date) => ({
  userId,
  endedAt: null,
  expiresAt: { gt: now },
  lastUsedAt: { gt: idleLimit(now) },
});

/** Returns the person's sessions, the current one first, then those used last. */
export async function listOwnSessions(now: Date, { userId, sessionId }: Member): Promise<OwnSession[]> {
  const orderBy = [{ lastUsedAt: 'desc' }, { id: 'desc' }] as const;
  const rows = await db().session.findMany({ where: usableOf(userId, now), orderBy: [...orderBy], take: MAX_LISTED });
  const listed = rows.map(({ id, createdAt, lastUsedAt, network, browser }) => ({
    id,
    started_at: createdAt,
    last_used_at: lastUsedAt,
    network,
    browser,
    current: id === sessionId,
  }));
  return [...listed.filter(({ current }) => current), ...listed.filter(({ current }) => !current)];
}

function entryOf({ userId, tenantId }: Member) {
  const actor = { kind: 'owner', id: userId, tenantId } as const;
  return { tenantId, actor, action: 'user.sessions_ended', object: { kind: 'user', id: userId } };
}

/** Ends one of the person's sessions. @throws AppError not_found, also if it has already ended. */
export async function endOwnSession(now: Date, member: Member, id: string): Promise<void> {
  await db().$transaction(async (tx) => {
    const where = { ...usableOf(member.userId, now), id };
    const { count } = await tx.session.updateMany({ where, data: { endedAt: now } });
    if (count === 0) throw notFound();
    await recordChange(tx, now, entryOf(member));
  });
}

/** Ends all sessions and unfinished sign-ins of the person except the current session. */
export async function endOwnOtherSessions(now: Date, member: Member): Promise<void> {
  await db().$transaction(async (tx) => {
    await endOtherSessions(tx, member.userId, now, member.sessionId);
    await recordChange(tx, now, entryOf(member));
  });
}
