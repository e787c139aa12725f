import { recordChange } from '@/lib/activity/audit/record';
import { AppError, invalidField, notFound } from '@/lib/contract/errors/app-error';
import { type Db, db } from '@/lib/platform/db';
import type { Role } from '@/lib/platform/generated/prisma/client';
import { nameProblem, trimName } from '@/lib/platform/text/name';
import { createAccount, lockAddress } from './accounts';
import { proveAddress } from './address-proof';
import { findByToken, inviterOf } from './invitations';
import { recordOfAccount } from './own-change';
import { hashPassword } from './password-hash';
import type { SignedIn } from './session';
import { throttleAddress } from './sign-in';
import { lockTeam } from './team';

/** What the page of an open invitation shows. It is the same whether or not the address has an account. */
export type OpenInvitation = { tenantName: string; invitedBy: string; email: string; role: Role };

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
  return { tenantName: tenant.name, invitedBy: inviterOf(invitedBy), email, role };
}

/** `person` is the signed-in user of the browser that sends the request, or null. */
type Acceptance = { token: string; person: SignedIn | null };

/**
 * Accepts an invitation with a new account, and adds it as a member. The link cannot be used again. Returns the id of the
 * tenant.
 *
 * A member's link does not prove the address, because the member has seen it: the new account belongs to this tenant
 * only, also if the address has other accounts. The operator's link proves the address. If an account with a proven
 * address exists, the link is a way to recover it, like `npm run password`: the password replaces its own, and its sessions
 * end. Its name and its second factors remain. The caller counts the attempt (`throttleAddress`) before it parses anything.
 * @throws AppError not_found if the token is not valid; invalid_request if a field is invalid; forbidden for the person
 *   who sent the invitation; business_suspended.
 */
export async function acceptInvitation(
  now: Date,
  { token, person, name, password }: Acceptance & { name: string; password: string },
): Promise<string> {
  const found = await findByToken(token, now);
  if (!found) throw notFound();
  const { tenantId, email } = found;
  const trimmedName = trimName(name);
  const problem = nameProblem(trimmedName, 200);
  if (problem !== null) throw invalidField('name', problem);
  const own = [trimmedName, found.tenant.name];
  const passwordHash = await hashPassword({ email, password, path: 'password', own });
  const chosen = { email, name: trimmedName };
  const set = { passwordHash, passwordExpiresAt: null };
  await db().$transaction(async (tx) => {
    await lockAddress(tx, email, now);
    await join(tx, now, found, person, async () => {
      if (found.invitedById !== null) return createAccount(tx, now, { ...chosen, ...set, tenantId });
      const id =
        (await proveAddress(tx, now, { ...chosen, password: set })) ??
        (await createAccount(tx, now, { ...chosen, ...set, tenantId: null }));
      await recordOfAccount(tx, now, id, { action: 'user.password_changed' });
      return id;
    });
  });
  return tenantId;
}

/**
 * Accepts an invitation for the signed-in user. Returns the id of the tenant. The caller counts the attempt
 * (`throttleAddress`).
 * @throws AppError not_found if the token is not valid or the invitation is for a different email address; forbidden if
 *   the account belongs only to another tenant, because nobody has proven that the address belongs to the person;
 *   business_suspended.
 */
export async function joinSignedIn(now: Date, { token, person }: Acceptance & { person: SignedIn }): Promise<string> {
  const found = await findByToken(token, now);
  if (!found || found.email !== person.email) throw notFound();
  if (!person.addressProven) throw new AppError('forbidden');
  await db().$transaction(async (tx) => {
    await lockAddress(tx, found.email, now);
    await join(tx, now, found, person, async () => person.userId);
  });
  return found.tenantId;
}

type Invitation = NonNullable<Awaited<ReturnType<typeof findByToken>>>;

/**
 * Marks the invitation as accepted and creates the membership of the account that `accountOf` returns. If several calls
 * run at the same time, only one of them succeeds.
 * @throws AppError not_found if the invitation had already been accepted or revoked, or has expired, or if its sender may
 *   not invite anymore.
 */
async function join(
  tx: Db,
  now: Date,
  { id, tenantId, email, role, invitedById }: Invitation,
  person: SignedIn | null,
  accountOf: () => Promise<string>,
): Promise<void> {
  await lockTeam(tx, tenantId);
  const tenant = await tx.tenant.findUniqueOrThrow({ where: { id: tenantId }, select: { suspendedAt: true } });
  if (tenant.suspendedAt) throw new AppError('business_suspended');
  if (invitedById !== null) await checkInviter(tx, { tenantId, email, invitedById }, person);
  // Another request may have accepted or revoked the invitation before the team was locked.
  const { count } = await tx.invitation.updateMany({
    where: { id, acceptedAt: null, revokedAt: null, expiresAt: { gt: now } },
    data: { acceptedAt: now },
  });
  if (count === 0 || (await tx.membership.count({ where: { tenantId, user: { email } } })) > 0) throw notFound();
  const userId = await accountOf();
  // Sets `lastUsedAt`, because the Control Center opens with the tenant that the person used last.
  await tx.membership.create({ data: { tenantId, userId, role, createdAt: now, lastUsedAt: now } });
  await recordChange(tx, now, {
    tenantId,
    actor: { kind: 'owner', id: userId, tenantId },
    action: 'member.joined',
    object: { kind: 'user', id: userId },
    after: { email, role, invitation_id: id },
  });
}

/**
 * Refuses an acceptance by the person who sent the invitation, who could otherwise act under another name.
 * @throws AppError forbidden for this person; not_found if the sender is no longer an owner. A server of an earlier
 *   version does not revoke the invitations of a former owner.
 */
async function checkInviter(
  tx: Db,
  { tenantId, email, invitedById }: Pick<Invitation, 'tenantId' | 'email'> & { invitedById: string },
  person: SignedIn | null,
): Promise<void> {
  const where = { tenantId_userId: { tenantId, userId: invitedById }, role: 'OWNER' } as const;
  const inviter = await tx.membership.findUnique({ where, include: { user: { select: { email: true } } } });
  if (!inviter) throw notFound();
  if (person?.userId === invitedById || inviter.user.email === email) throw new AppError('forbidden');
}
