import { recordChange } from '@/lib/activity/audit/record';
import { AppError, invalidField, notFound } from '@/lib/contract/errors/app-error';
import { type Db, db } from '@/lib/platform/db';
import type { Role } from '@/lib/platform/generated/prisma/client';
import { nameProblem, trimName } from '@/lib/platform/text/name';
import { createAccount, lockAddress } from './accounts';
import { proveAddress } from './address-proof';
import { findByToken, inviterOf } from './invitations';
import { setLimit } from './location-limit';
import { recordOfAccount } from './own-change';
import { hashPassword } from './password-hash';
import type { SignedIn } from './session';
import { throttleAddress } from './sign-in';
import { lockTeam } from './team';

/** The same whether or not the address has an account. */
export type OpenInvitation = { tenantName: string; invitedBy: string; email: string; role: Role };

/** Returns the open invitation of a link's `token`, or null. @throws AppError rate_limited per address and minute. */
export async function readInvitation(token: string, address: string, now: Date): Promise<OpenInvitation | null> {
  await throttleAddress(address);
  const found = await findByToken(token, now);
  if (!found) return null;
  const { email, role, tenant, invitedBy } = found;
  return { tenantName: tenant.name, invitedBy: inviterOf(invitedBy), email, role };
}

/** `person` is the signed-in user of the browser, or null. */
type Acceptance = { token: string; person: SignedIn | null };

/**
 * Accepts an invitation, once, with a new account that becomes a member. Returns the id of the tenant. A member's link
 * does not prove the address, because the member has seen it: the new account belongs to this tenant only. The
 * operator's link and the mailed link prove the address. If a proven account exists, the link recovers it, like `npm run password`: the
 * password replaces its own, and its sessions end, but its name and its second factors remain. The caller counts the
 * attempt (`throttleAddress`) before it parses anything.
 * @throws AppError not_found if the token is not valid; invalid_request if a field is invalid; forbidden for the person
 * who sent the invitation; business_suspended.
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
      if (!found.provesAddress) return createAccount(tx, now, { ...chosen, ...set, tenantId });
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
 * Accepts an invitation for the signed-in user. Returns the id of the tenant. The caller counts the attempt.
 * @throws AppError not_found if the token is not valid or for a different email address; forbidden if the account
 * belongs only to another tenant, because nobody has proven its address; business_suspended.
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

/** Of several concurrent calls, one succeeds. @throws AppError not_found if the invitation or its sender is not valid. */
async function join(
  tx: Db,
  now: Date,
  { id, tenantId, email, role, locationIds, invitedById }: Invitation,
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
  // The Control Center opens with the tenant that the person used last.
  await tx.membership.create({ data: { tenantId, userId, role, createdAt: now, lastUsedAt: now } });
  if (locationIds.length > 0) {
    // Locations can have been deleted since the invitation. The limit remains, even if it then allows none.
    const known = await tx.location.findMany({ where: { tenantId, id: { in: locationIds } }, select: { id: true } });
    await setLimit(
      tx,
      { tenantId, userId },
      known.map((location) => location.id),
    );
  }
  await recordChange(tx, now, {
    tenantId,
    actor: { kind: 'owner', id: userId, tenantId },
    action: 'member.joined',
    object: { kind: 'user', id: userId },
    after: { email, role, invitation_id: id, ...(locationIds.length > 0 && { location_ids: locationIds }) },
  });
}

/**
 * Whoever sent the invitation could otherwise act under another name.
 * @throws AppError forbidden for this person; not_found if the sender is no longer an owner. A server of an earlier
 * version does not revoke the invitations of a former owner.
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
