import { recordChange } from '@/lib/activity/audit/record';
import { AppError, invalidField, notFound } from '@/lib/contract/errors/app-error';
import { type Db, db } from '@/lib/platform/db';
import type { Role } from '@/lib/platform/generated/prisma/client';
import { newId } from '@/lib/platform/ids';
import { nameProblem, trimName } from '@/lib/platform/text/name';
import { findByToken, inviterOf } from './invitations';
import { hashPassword } from './password-hash';
import type { SignedIn } from './session';
import { checkPassword, throttleAddress } from './sign-in';
import { lockTeam } from './team';

/** What the page of an open invitation shows. */
export type OpenInvitation = {
  tenantName: string;
  invitedBy: string;
  email: string;
  role: Role;
  /** Whether the invited person is already a member of a tenant, and therefore joins with the existing password. */
  hasAccount: boolean;
};

/**
 * Returns the invitation that a link's `token` identifies. Returns null if the token is unknown, or if the
 * invitation was accepted or revoked or has expired.
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
 * Accepts an invitation and adds the person as a member. The link cannot be used again. If the person is already a
 * member of any tenant, `password` must be the password of the existing account, and `name` is ignored. If the person
 * has an account but is no longer a member, sets its name and password. Otherwise, creates an account. The caller counts
 * the attempt (`throttleAddress`) before it parses anything.
 * @throws AppError not_found if the token is not valid; invalid_request if a field is invalid or the password is wrong;
 *   rate_limited after too many attempts within a minute.
 */
export async function acceptInvitation(now: Date, { token, address, name, password }: Acceptance): Promise<void> {
  const found = await findByToken(token, now);
  if (!found) throw notFound();
  const { email } = found;
  const account = await db().user.findUnique({ where: { email }, select: { id: true, memberships: { take: 1 } } });
  if (account && account.memberships.length > 0) {
    const checked = await checkPassword({ email, password, address, ticket: '' }, now);
    if (!checked) throw invalidField('password', 'is not the password of this account');
    // After too many attempts, the password is checked only after a delay. The sign-in page waits for this
    // delay, but this form cannot. The person can therefore sign in first, and then open the link again.
    if (checked.delay) throw new AppError('rate_limited', { retryAfter: checked.delay.seconds });
    if (checked.user.passwordExpiresAt !== null)
      throw invalidField('password', 'must be changed first. Sign in, and set a new password');
    await db().$transaction((tx) => join(tx, now, found, checked.user.id));
    return;
  }
  const trimmedName = trimName(name);
  const problem = nameProblem(trimmedName, 200);
  if (problem !== null) throw invalidField('name', problem);
  const passwordHash = await hashPassword(password, 'password', [email, trimmedName, found.tenant.name]);
  // An account without a membership grants no access, so its password is replaced without a check. The person may have
  // lost the old password.
  const id = account?.id ?? newId('usr');
  const create = { id, email, name: trimmedName, passwordHash, createdAt: now };
  const update = { name: trimmedName, passwordHash, passwordExpiresAt: null };
  await db().$transaction(async (tx) => {
    await join(tx, now, found, id, () => tx.user.upsert({ where: { id }, create, update }));
  });
}

/**
 * Accepts an invitation for the signed-in user.
 * The caller counts the attempt (`throttleAddress`).
 * @throws AppError not_found if the token is not valid or the invitation is for a different email address.
 */
export async function joinSignedIn(now: Date, { token, person }: { token: string; person: SignedIn }): Promise<void> {
  const found = await findByToken(token, now);
  if (!found || found.email !== person.email) throw notFound();
  await db().$transaction((tx) => join(tx, now, found, person.userId));
}

type Invitation = NonNullable<Awaited<ReturnType<typeof findByToken>>>;

/**
 * Marks the invitation as accepted and creates the membership. If several calls run at the same time, only one of
 * them succeeds.
 * @throws AppError not_found if the invitation had already been accepted or revoked, or has expired.
 */
async function join(
  tx: Db,
  now: Date,
  { id, tenantId, email, role }: Invitation,
  userId: string,
  upsertUser?: () => Promise<unknown>,
): Promise<void> {
  await lockTeam(tx, tenantId);
  // Another request may have accepted or revoked the invitation before the team was locked.
  const { count } = await tx.invitation.updateMany({
    where: { id, acceptedAt: null, revokedAt: null, expiresAt: { gt: now } },
    data: { acceptedAt: now },
  });
  if (count === 0) throw notFound();
  await upsertUser?.();
  const key = { tenantId_userId: { tenantId, userId } };
  // Sets `lastUsedAt`, because the Control Center opens with the tenant that the person used last.
  const create = { tenantId, userId, role, createdAt: now, lastUsedAt: now };
  await tx.membership.upsert({ where: key, create, update: { role, lastUsedAt: now } });
  await recordChange(tx, now, {
    tenantId,
    actor: { kind: 'owner', id: userId, tenantId },
    action: 'member.joined',
    object: { kind: 'user', id: userId },
    after: { email, role, invitation_id: id },
  });
}
