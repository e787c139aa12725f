import { recordChange } from '@/lib/activity/audit/record';
import { AppError, invalidField, notFound } from '@/lib/contract/errors/app-error';
import { type Db, db } from '@/lib/platform/db';
import type { Role } from '@/lib/platform/generated/prisma/client';
import { newId } from '@/lib/platform/ids';
import { nameProblem, trimName } from '@/lib/platform/text/name';
import { findByToken, inviterOf } from './invitations';
import { hashPassword } from './password-hash';
import type { Member } from './session';
import { checkPassword, throttleAddress } from './sign-in';
import { lockTeam } from './team';

/** An open invitation, with the fields that the invitation page shows. */
export type OpenInvitation = {
  tenantName: string;
  invitedBy: string;
  email: string;
  role: Role;
  /** Whether the invited person is already a member of a tenant. If so, the person joins with the existing password. */
  hasAccount: boolean;
};

/**
 * Returns the invitation whose link contains `token`. Returns null if the token is unknown, or if the invitation was
 * accepted, was revoked, or has expired.
 * @throws AppError rate_limited after too many attempts from the address within a minute.
 */
export async function readInvitation(token: string, address: string, now: Date): Promise<OpenInvitation | null> {
  await throttleAddress(address);
  const found = await findByToken(token, now);
  if (!found) return null;
  const { email, role, tenant, invitedBy } = found;
  const hasAccount = (await db().user.count({ where: { email, memberships: { some: {} } } })) > 0;
  return { tenantName: tenant.name, invitedBy: inviterOf(invitedBy), email, role, hasAccount };
}

type Acceptance = { token: string; address: string; name: string; password: string };

/**
 * Accepts an invitation and adds the invited person as a member. If the person is already a member of a tenant,
 * `password` must be the password of the person's account, and `name` is ignored. If the person has an account but is
 * not a member of any tenant, the account gets the new name and password. If the person has no account, one is created.
 * After that, the link cannot be used again.
 * @throws AppError not_found if the token is not valid; invalid_request if a field is invalid or the password is wrong;
 *   rate_limited after too many attempts within a minute.
 */
export async function acceptInvitation(now: Date, { token, address, name, password }: Acceptance): Promise<void> {
  await throttleAddress(address);
  const found = await findByToken(token, now);
  if (!found) throw notFound();
  const { email } = found;
  const account = await db().user.findUnique({ where: { email }, select: { id: true, memberships: { take: 1 } } });
  if (account && account.memberships.length > 0) {
    const checked = await checkPassword({ email, password, address, ticket: '' }, now);
    if (!checked) throw invalidField('password', 'is not the password of this account');
    // If the password check is delayed (see `Delay` in sign-in-delay.ts), the invitation form shows an error instead of
    // waiting. The person can sign in on the sign-in page, which does wait, and then open the link again.
    if (checked.delay) throw new AppError('rate_limited', { retryAfter: checked.delay.seconds });
    await db().$transaction((tx) => join(tx, now, found, checked.user.id));
    return;
  }
  const trimmedName = trimName(name);
  const problem = nameProblem(trimmedName, 200);
  if (problem !== null) throw invalidField('name', problem);
  const passwordHash = await hashPassword(password, 'password', [email, trimmedName, found.tenant.name]);
  // A person who was removed as a member still has an account, but the account grants no access. The account's password
  // is replaced without a check, because the person may have lost it.
  const id = account?.id ?? newId('usr');
  const create = { id, email, name: trimmedName, passwordHash, createdAt: now };
  const update = { name: trimmedName, passwordHash };
  await db().$transaction(async (tx) => {
    await join(tx, now, found, id, () => tx.user.upsert({ where: { id }, create, update }));
  });
}

/**
 * Accepts an invitation and adds the signed-in user as a member.
 * @throws AppError not_found if the token is not valid or the invitation is for another email address; rate_limited
 *   after too many attempts within a minute.
 */
export async function joinSignedIn(
  now: Date,
  { token, address, member }: { token: string; address: string; member: Member },
): Promise<void> {
  await throttleAddress(address);
  const found = await findByToken(token, now);
  if (!found || found.email !== member.email) throw notFound();
  await db().$transaction((tx) => join(tx, now, found, member.userId));
}

type Invitation = NonNullable<Awaited<ReturnType<typeof findByToken>>>;

/**
 * Marks the invitation as accepted and creates the membership. If several calls accept the same invitation
 * concurrently, only one succeeds.
 * @throws AppError not_found if the invitation was accepted, was revoked, or has expired.
 */
async function join(
  tx: Db,
  now: Date,
  { id, tenantId, email, role }: Invitation,
  userId: string,
  upsertUser?: () => Promise<unknown>,
): Promise<void> {
  await lockTeam(tx, tenantId);
  // The invitation is checked again now that the team is locked, because another request may have accepted or revoked
  // it after `findByToken` read it.
  const { count } = await tx.invitation.updateMany({
    where: { id, acceptedAt: null, revokedAt: null, expiresAt: { gt: now } },
    data: { acceptedAt: now },
  });
  if (count === 0) throw notFound();
  await upsertUser?.();
  const key = { tenantId_userId: { tenantId, userId } };
  await tx.membership.upsert({ where: key, create: { tenantId, userId, role, createdAt: now }, update: { role } });
  await recordChange(tx, now, {
    tenantId,
    actor: { kind: 'owner', id: userId, tenantId },
    action: 'member.joined',
    object: { kind: 'user', id: userId },
    after: { email, role, invitation_id: id },
  });
}
