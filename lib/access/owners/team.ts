import type { Actor } from '@/lib/activity/audit/actor';
import { recordChange, recordChanges } from '@/lib/activity/audit/record';
import { AppError, notFound } from '@/lib/contract/errors/app-error';
import { type Db, db } from '@/lib/platform/db';
import type { Role } from '@/lib/platform/generated/prisma/client';
import { END_LIMIT } from '@/lib/platform/tenant-scope';
import { closeAccount } from './accounts';
import { checkLimit, isSameLimit, limitOf, setLimit } from './location-limit';
import { hasSecondFactor, lockUser, removeSecondFactors } from './second-factor';
import { endOtherSessions } from './session';

export type Initiator = { tenantId: string; actor: Actor };

export type TeamMember = {
  user_id: string;
  name: string;
  email: string;
  role: Role;
  /** The locations to which the member is limited. Null for all. */
  locations: { id: string; name: string }[] | null;
  joined_at: Date;
  /** The last that opened this tenant. */
  last_sign_in_at: Date | null;
  second_factor: boolean;
};

/** Returns the members of a tenant, ordered by name. */
export async function listMembers(tenantId: string): Promise<TeamMember[]> {
  return db().$queryRaw<TeamMember[]>`
    SELECT u.id AS user_id, u.name, u.email, m.role::text AS role, m.created_at AS joined_at,
      CASE WHEN NOT m.all_locations THEN (
        SELECT coalesce(jsonb_agg(jsonb_build_object('id', l.id, 'name', coalesce(l.name->>t.default_locale, l.city))
          ORDER BY lower(coalesce(l.name->>t.default_locale, l.city)), l.id), '[]')
        FROM member_locations p JOIN locations l ON l.id = p.location_id JOIN tenants t ON t.id = l.tenant_id
        WHERE p.tenant_id = m.tenant_id AND p.user_id = m.user_id) END AS locations,
      (SELECT max(s.at) FROM sign_ins s WHERE s.user_id = u.id AND s.tenant_id = m.tenant_id AND s.outcome = 'signed_in')
        AS last_sign_in_at,
      EXISTS (SELECT FROM totp_factors f WHERE f.user_id = u.id AND f.confirmed_at IS NOT NULL)
        OR EXISTS (SELECT FROM passkeys p WHERE p.user_id = u.id) AS second_factor
    FROM memberships m JOIN users u ON u.id = m.user_id
    WHERE m.tenant_id = ${tenantId}
    ORDER BY lower(u.name), u.id`;
}

/** Two owners could otherwise remove each other at the same time and leave no owner. */
export async function lockTeam(tx: Db, tenantId: string): Promise<void> {
  await tx.$queryRaw`SELECT 1 FROM tenants WHERE id = ${tenantId} FOR NO KEY UPDATE`;
}

async function lockMember(tx: Db, tenantId: string, userId: string) {
  await lockTeam(tx, tenantId);
  const member = await tx.membership.findUnique({
    where: { tenantId_userId: { tenantId, userId } },
    include: { user: { select: { email: true, name: true } } },
  });
  if (!member) throw notFound();
  return member;
}

/** @throws AppError last_owner if the user is the only owner. */
async function ensureAnotherOwner(tx: Db, tenantId: string, userId: string): Promise<void> {
  const others = await tx.membership.count({ where: { tenantId, role: 'OWNER', userId: { not: userId } } });
  if (others === 0) throw new AppError('last_owner');
}

/** Someone who was removed could otherwise return with an invitation of their own. */
export async function revokeInvitationsOf(
  tx: Db,
  now: Date,
  { tenantId, actor, userId }: Initiator & { userId: string },
): Promise<void> {
  const revoked = await tx.invitation.updateManyAndReturn({
    where: { tenantId, invitedById: userId, acceptedAt: null, revokedAt: null },
    data: { revokedAt: now },
    select: { id: true, email: true, role: true },
  });
  const changes = revoked.map(({ id, ...before }) => ({
    tenantId,
    actor,
    action: 'invitation.revoked',
    object: { kind: 'invitation', id },
    before,
  }));
  await recordChanges(tx, now, changes);
}

/** `locationIds` are those to which a front desk is limited. Null for all. Undefined for the same as before. */
type RoleChange = Initiator & { userId: string; role: Role; locationIds?: readonly string[] | null };

/**
 * Changes a role and the limit to locations, and revokes a former owner's invitations.
 * @throws AppError not_found; last_owner; invalid_request for a limit of another role, or an unknown location.
 */
export async function changeRole(now: Date, change: RoleChange): Promise<void> {
  const { tenantId, actor, userId, role } = change;
  await db().$transaction(async (tx) => {
    const member = await lockMember(tx, tenantId, userId);
    const before = { role: member.role, locations: member.allLocations ? null : await limitOf(tx, tenantId, userId) };
    const kept = role === 'FRONT_DESK' ? before.locations : null;
    const after = { role, locations: change.locationIds === undefined ? kept : change.locationIds };
    await checkLimit(tx, tenantId, after);
    if (member.role !== role) {
      if (member.role === 'OWNER') await ensureAnotherOwner(tx, tenantId, userId);
      await tx.membership.update({ where: { tenantId_userId: { tenantId, userId } }, data: { role } });
      const object = { kind: 'user', id: userId };
      const roles = { before: { role: member.role }, after: { role } };
      await recordChange(tx, now, { tenantId, actor, action: 'member.role_changed', object, ...roles });
      if (member.role === 'OWNER') await revokeInvitationsOf(tx, now, { tenantId, actor, userId });
    }
    if (isSameLimit(before.locations, after.locations)) return;
    await setLimit(tx, { tenantId, userId }, after.locations);
    await recordChange(tx, now, {
      tenantId,
      actor,
      action: 'member.locations_changed',
      object: { kind: 'user', id: userId },
      before: { location_ids: before.locations },
      after: { location_ids: after.locations && [...after.locations].sort() },
    });
  });
}

/** Removes a member with invitations and an account without another tenant. @throws AppError not_found; last_owner. */
export async function removeMember(
  now: Date,
  { tenantId, actor, userId }: Initiator & { userId: string },
): Promise<void> {
  await db().$transaction(async (tx) => {
    const member = await lockMember(tx, tenantId, userId);
    if (member.role === 'OWNER') await ensureAnotherOwner(tx, tenantId, userId);
    await tx.membership.delete({ where: { tenantId_userId: { tenantId, userId } } });
    await recordChange(tx, now, {
      tenantId,
      actor,
      action: 'member.removed',
      object: { kind: 'user', id: userId },
      before: { name: member.user.name, email: member.user.email, role: member.role },
    });
    await revokeInvitationsOf(tx, now, { tenantId, actor, userId });
    await tx.$executeRawUnsafe(END_LIMIT);
    // A transaction that adds a membership of another tenant locks the account too, which would otherwise be closed.
    await lockUser(tx, userId);
    if ((await tx.membership.count({ where: { userId } })) === 0) await closeAccount(tx, userId, now);
  });
}

/** Returns whether a tenant requires a second factor of its members. */
export async function requiresSecondFactor(tenantId: string): Promise<boolean> {
  const tenant = await db().tenant.findFirstOrThrow({
    where: { id: tenantId },
    select: { requireSecondFactor: true },
  });
  return tenant.requireSecondFactor;
}

/** Sets whether members need a second factor. @throws AppError second_factor_required if the actor has none. */
export async function requireSecondFactor(
  now: Date,
  { tenantId, actor, userId, required }: Initiator & { userId: string; required: boolean },
): Promise<void> {
  await db().$transaction(async (tx) => {
    await lockTeam(tx, tenantId);
    if (required && !(await hasSecondFactor(tx, userId))) throw new AppError('second_factor_required');
    const changed = { id: tenantId, requireSecondFactor: !required };
    const { count } = await tx.tenant.updateMany({ where: changed, data: { requireSecondFactor: required } });
    if (count === 0) return;
    await recordChange(tx, now, {
      tenantId,
      actor,
      action: 'tenant.second_factor_changed',
      object: { kind: 'tenant', id: tenantId },
      before: { required: !required },
      after: { required },
    });
  });
}

/**
 * Ends all sessions of another member in every tenant, for every member alike: an owner does not learn whether the
 * member has another tenant.
 * @throws AppError not_found if the user is not a member; forbidden for the actor's own account.
 */
async function changeOther(
  now: Date,
  { tenantId, actor, userId }: Initiator & { userId: string },
  change: (tx: Db) => Promise<string>,
): Promise<void> {
  if (actor.kind === 'owner' && actor.id === userId) throw new AppError('forbidden');
  await db().$transaction(async (tx) => {
    await lockMember(tx, tenantId, userId);
    await lockUser(tx, userId);
    const action = await change(tx);
    await endOtherSessions(tx, userId, now, null);
    await recordChange(tx, now, { tenantId, actor, action, object: { kind: 'user', id: userId } });
  });
}

/**
 * Removes the second factors of another member, and ends all of the member's sessions.
 * @throws AppError as `changeOther`; not_found without a second factor; operator_required for a member whose address is
 * proven, because such an account can open other tenants. Whether it does makes no difference, because owners must not
 * learn it.
 */
export function resetSecondFactor(now: Date, other: Initiator & { userId: string }): Promise<void> {
  return changeOther(now, other, async (tx) => {
    const { userId } = other;
    if (!(await hasSecondFactor(tx, userId))) throw notFound();
    if ((await tx.user.count({ where: { id: userId, addressProvenAt: { not: null } } })) > 0)
      throw new AppError('operator_required');
    await removeSecondFactors(tx, userId);
    return 'member.second_factor_reset';
  });
}

/** Ends all sessions of another member (own ones: `endOwnOtherSessions`). @throws AppError as `changeOther`. */
export function endMemberSessions(now: Date, other: Initiator & { userId: string }): Promise<void> {
  return changeOther(now, other, async () => 'member.sessions_ended');
}
