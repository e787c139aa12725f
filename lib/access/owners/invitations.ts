import { createHmac, randomBytes } from 'node:crypto';
import { recordChange } from '@/lib/activity/audit/record';
import { invalidField, notFound } from '@/lib/contract/errors/app-error';
import { db } from '@/lib/platform/db';
import { env, secretFor } from '@/lib/platform/env';
import type { Role } from '@/lib/platform/generated/prisma/client';
import { newId } from '@/lib/platform/ids';
import { type By, lockTeam } from './team';

/** Days that a link works. */
const DAYS = 7;

/** Invitations that one answer holds. */
const MAX_SHOWN = 200;

const TOKEN = /^[\w-]{43}$/;

/** Returns what is stored of a link's token: nobody who reads the database can use a link. */
export function hashToken(token: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHmac('sha256', secretFor('invitation')).update(token).digest());
}

/** An invitation that was not used and not taken back. */
export type InvitationSummary = {
  id: string;
  email: string;
  role: Role;
  invited_by: string;
  created_at: Date;
  expires_at: Date;
  expired: boolean;
};

/** Returns the open invitations of a tenant, the newest first; none of them can be turned into its link again. */
export async function listInvitations(now: Date, tenantId: string): Promise<InvitationSummary[]> {
  const rows = await db().invitation.findMany({
    where: { tenantId, acceptedAt: null, revokedAt: null },
    include: { invitedBy: { select: { name: true } } },
    orderBy: { createdAt: 'desc' },
    take: MAX_SHOWN,
  });
  return rows.map(({ id, email, role, invitedBy, createdAt, expiresAt }) => ({
    id,
    email,
    role,
    invited_by: invitedBy.name,
    created_at: createdAt,
    expires_at: expiresAt,
    expired: expiresAt <= now,
  }));
}

type Invite = By & { userId: string; email: string; role: Role };

/**
 * Invites somebody and returns the link, the only time it is seen; an earlier link for them ends. It works for seven
 * days, once.
 * @throws AppError invalid_request when they are a member already.
 */
export async function invite(now: Date, invitation: Invite): Promise<{ id: string; link: string; expires_at: Date }> {
  const { tenantId, actor, userId, role } = invitation;
  const email = invitation.email.trim().toLowerCase();
  const token = randomBytes(32).toString('base64url');
  const expiresAt = new Date(now.getTime() + DAYS * 86_400_000);
  const id = newId('inv');
  await db().$transaction(async (tx) => {
    await lockTeam(tx, tenantId);
    if (await tx.membership.findFirst({ where: { tenantId, user: { email } } }))
      throw invalidField('email', 'is a member already');
    const open = { tenantId, email, acceptedAt: null, revokedAt: null };
    await tx.invitation.updateMany({ where: open, data: { revokedAt: now } });
    const row = { id, tenantId, email, role, tokenHash: hashToken(token), invitedById: userId };
    await tx.invitation.create({ data: { ...row, createdAt: now, expiresAt } });
    const object = { kind: 'invitation', id };
    const after = { email, role, expires_at: expiresAt.toISOString() };
    await recordChange(tx, now, { tenantId, actor, action: 'invitation.created', object, after });
  });
  return { id, link: `${env().origin}/invite/${token}`, expires_at: expiresAt };
}

/**
 * Takes an invitation back: its link does not work any more. Taking it back again changes nothing.
 * @throws AppError not_found when there is none, or it was used.
 */
export async function revokeInvitation(now: Date, { tenantId, actor, id }: By & { id: string }): Promise<void> {
  await db().$transaction(async (tx) => {
    await lockTeam(tx, tenantId);
    const found = await tx.invitation.findFirst({ where: { id, tenantId, acceptedAt: null } });
    if (!found) throw notFound();
    if (found.revokedAt) return;
    await tx.invitation.update({ where: { id }, data: { revokedAt: now } });
    const object = { kind: 'invitation', id };
    const before = { email: found.email, role: found.role };
    await recordChange(tx, now, { tenantId, actor, action: 'invitation.revoked', object, before });
  });
}

/** Returns the invitation that a link opens, if it works at `now`; unknown, used, revoked and expired are one. */
export async function findByToken(token: string, now: Date) {
  if (!TOKEN.test(token)) return null;
  return db().invitation.findFirst({
    where: { tokenHash: hashToken(token), acceptedAt: null, revokedAt: null, expiresAt: { gt: now } },
    include: { tenant: { select: { name: true } }, invitedBy: { select: { name: true } } },
  });
}
