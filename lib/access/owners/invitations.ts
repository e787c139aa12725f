import { createHmac, randomBytes } from 'node:crypto';
import { recordChange } from '@/lib/activity/audit/record';
import { inPrisma, isMailOn, queueMail } from '@/lib/activity/mail/queue';
import { invalidField, notFound } from '@/lib/contract/errors/app-error';
import { type Db, db } from '@/lib/platform/db';
import { env } from '@/lib/platform/env';
import type { Role } from '@/lib/platform/generated/prisma/client';
import { newId } from '@/lib/platform/ids';
import { hashKeyFor } from '@/lib/platform/secrets';
import { typedAddress } from './email';
import { isToken } from './link-token';
import { checkLimit } from './location-limit';
import { type Initiator, lockTeam } from './team';

/** Of an invitation's link. */
const DAYS = 7;

const MAX_SHOWN = 200;

/** Returns the keyed hash that the database contains instead of the token of a link. */
export function hashToken(token: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHmac('sha256', hashKeyFor('invitation')).update(token).digest());
}

/** Neither accepted nor revoked. It may have expired. */
export type InvitationSummary = {
  id: string;
  email: string;
  role: Role;
  /** The number of locations to which the person will be limited. Null for all. */
  locations: number | null;
  invited_by: string;
  created_at: Date;
  expires_at: Date;
  expired: boolean;
};

/** Returns the invitations that are neither accepted nor revoked, newest first, without links. */
export async function listInvitations(now: Date, tenantId: string): Promise<InvitationSummary[]> {
  const rows = await db().invitation.findMany({
    where: { tenantId, acceptedAt: null, revokedAt: null },
    include: { invitedBy: { select: { name: true } } },
    orderBy: { createdAt: 'desc' },
    take: MAX_SHOWN,
  });
  return rows.map(({ id, email, role, locationIds, invitedBy, createdAt, expiresAt }) => ({
    id,
    email,
    role,
    locations: locationIds.length || null,
    invited_by: inviterOf(invitedBy),
    created_at: createdAt,
    expires_at: expiresAt,
    expired: expiresAt <= now,
  }));
}

/** Returns the displayed name of the person who sent an invitation. Null stands for the operator. */
export function inviterOf(user: { name: string } | null): string {
  return user?.name ?? 'The operator';
}

/** `userId` is null if the operator invites. `locationIds` are those to which a front desk is limited. */
type Invite = Initiator & { userId: string | null; email: string; role: Role; locationIds?: readonly string[] | null };

/**
 * Only the hashes of the links are stored, so they cannot be shown again. `mailed`: a mail with another link is on its
 * way to the address.
 */
export type IssuedInvitation = { id: string; link: string; expires_at: Date; mailed: boolean };

/**
 * Invites a person and returns the link, which works once, within `DAYS`. An earlier link for the address is revoked.
 * With a mail server, the address gets another link, which nobody else has seen, so its use proves the address.
 * @throws AppError invalid_request if the person is already a member of the tenant, or as `checkLimit`.
 */
export async function invite(now: Date, invitation: Invite): Promise<IssuedInvitation> {
  return db().$transaction((tx) => inviteIn(tx, now, invitation));
}

/** Like `invite`, but in the caller's transaction. */
export async function inviteIn(tx: Db, now: Date, invitation: Invite): Promise<IssuedInvitation> {
  const { tenantId, actor, userId, role } = invitation;
  const email = typedAddress(invitation.email);
  const locationIds = [...new Set(invitation.locationIds ?? [])].sort();
  // An empty list would mean all locations.
  if (invitation.locationIds?.length === 0) throw invalidField('location_ids', 'must not be empty');
  const token = randomBytes(32).toString('base64url');
  const expiresAt = new Date(now.getTime() + DAYS * 86_400_000);
  const id = newId('inv');
  await lockTeam(tx, tenantId);
  await checkLimit(tx, tenantId, { role, locations: locationIds.length > 0 ? locationIds : null });
  if (await tx.membership.findFirst({ where: { tenantId, user: { email } } }))
    throw invalidField('email', 'already belongs to a member');
  const open = { tenantId, email, acceptedAt: null, revokedAt: null };
  await tx.invitation.updateMany({ where: open, data: { revokedAt: now } });
  const mailed = isMailOn() ? randomBytes(32).toString('base64url') : null;
  const hashes = { tokenHash: hashToken(token), mailedTokenHash: mailed === null ? null : hashToken(mailed) };
  const row = { id, tenantId, email, role, locationIds, ...hashes, invitedById: userId };
  const created = { data: { ...row, createdAt: now, expiresAt }, include: { tenant: true, invitedBy: true } };
  const { tenant, invitedBy } = await tx.invitation.create(created);
  const object = { kind: 'invitation', id };
  const limit = locationIds.length > 0 ? { location_ids: locationIds } : {};
  const after = { email, role, ...limit, expires_at: expiresAt.toISOString() };
  await recordChange(tx, now, { tenantId, actor, action: 'invitation.created', object, after });
  const linkOf = (one: string) => `${env().origin}/invite/${one}`;
  const inviter = inviterOf(invitedBy);
  const facts = mailed && { business: tenant.name, inviter, url: linkOf(mailed), endsAt: expiresAt };
  const to = { tenantId, userId: null, email, kind: 'invitation', cause: id } as const;
  const queued = facts ? await queueMail(inPrisma(tx), now, { ...to, facts }) : null;
  return { id, link: linkOf(token), expires_at: expiresAt, mailed: queued !== null };
}

/** Revokes an invitation. A repeated call has no effect. @throws AppError not_found, also if it was accepted. */
export async function revokeInvitation(now: Date, { tenantId, actor, id }: Initiator & { id: string }): Promise<void> {
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

/**
 * Returns the open invitation of a link's `token`, or null. `provesAddress`: only the operator or a mail to the address has
 * shown the link.
 */
export async function findByToken(token: string, now: Date) {
  if (!isToken(token)) return null;
  const hash = hashToken(token);
  const found = await db().invitation.findFirst({
    where: {
      OR: [{ tokenHash: hash }, { mailedTokenHash: hash }],
      acceptedAt: null,
      revokedAt: null,
      expiresAt: { gt: now },
    },
    include: { tenant: { select: { name: true } }, invitedBy: { select: { name: true } } },
  });
  if (!found) return null;
  const isMailed = found.mailedTokenHash !== null && Buffer.from(hash).equals(found.mailedTokenHash);
  return { ...found, provesAddress: found.invitedById === null || isMailed };
}
