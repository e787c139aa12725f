import { recordChange } from '@/lib/activity/audit/record';
import { invalidField, notFound } from '@/lib/contract/errors/app-error';
import { type Db, db } from '@/lib/platform/db';
import type { Role } from '@/lib/platform/generated/prisma/client';
import { newId } from '@/lib/platform/ids';
import { nameProblem, trimName } from '@/lib/platform/text/name';
import { findByToken } from './invitations';
import { hashPassword } from './password';
import type { Member } from './session';
import { checkPassword, throttleAddress } from './sign-in';
import { lockTeam } from './team';

/** What the page of a link shows. */
export type OpenInvitation = {
  tenantName: string;
  invitedBy: string;
  email: string;
  role: Role;
  /** Whoever has an account joins with its password instead of choosing one. */
  hasAccount: boolean;
};

/**
 * Returns what a link stands for, or null when it does not work (any more).
 * @throws AppError rate_limited after too many attempts of the address in a minute.
 */
export async function readInvitation(token: string, address: string, now: Date): Promise<OpenInvitation | null> {
  await throttleAddress(address);
  const found = await findByToken(token, now);
  if (!found) return null;
  const { email, role, tenant, invitedBy } = found;
  const hasAccount = (await db().user.count({ where: { email, memberships: { some: {} } } })) > 0;
  return { tenantName: tenant.name, invitedBy: invitedBy.name, email, role, hasAccount };
}

type Acceptance = { token: string; address: string; name: string; password: string };

/**
 * Makes whoever has the link a member: with a new account, or with theirs when the password is its own. The link is
 * used up.
 * @throws AppError not_found when the link does not work; invalid_request naming the field; rate_limited.
 */
export async function acceptInvitation(now: Date, { token, address, name, password }: Acceptance): Promise<void> {
  await throttleAddress(address);
  const found = await findByToken(token, now);
  if (!found) throw notFound();
  const { email } = found;
  const account = await db().user.findUnique({ where: { email }, select: { id: true, memberships: { take: 1 } } });
  if (account && account.memberships.length > 0) {
    const user = await checkPassword({ email, password, address });
    if (!user) throw invalidField('password', 'is not the password of this account');
    await db().$transaction((tx) => join(tx, now, found, user.id));
    return;
  }
  const shown = trimName(name);
  const problem = nameProblem(shown, 200);
  if (problem !== null) throw invalidField('name', problem);
  const passwordHash = await hashPassword(password, 'password');
  // Of somebody who was removed the account is left, and opens nothing: its password may be what they have lost.
  const id = account?.id ?? newId('usr');
  const create = { id, email, name: shown, passwordHash, createdAt: now };
  const update = { name: shown, passwordHash };
  await db().$transaction(async (tx) => {
    await join(tx, now, found, id, () => tx.user.upsert({ where: { id }, create, update }));
  });
}

/**
 * Makes a signed-in person a member by a link that is for them.
 * @throws AppError not_found when the link does not work, or is for somebody else; rate_limited.
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

type Found = NonNullable<Awaited<ReturnType<typeof findByToken>>>;

/** Uses the link up, once whoever else has it, and makes the membership. */
async function join(
  tx: Db,
  now: Date,
  { id, tenantId, email, role }: Found,
  userId: string,
  makeUser?: () => Promise<unknown>,
): Promise<void> {
  await lockTeam(tx, tenantId);
  // Asked again under the lock: the link may have been used or taken back since.
  const { count } = await tx.invitation.updateMany({
    where: { id, acceptedAt: null, revokedAt: null, expiresAt: { gt: now } },
    data: { acceptedAt: now },
  });
  if (count === 0) throw notFound();
  await makeUser?.();
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
