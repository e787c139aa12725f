import { recordChange } from '@/lib/activity/audit/record';
import { AppError, notFound } from '@/lib/contract/errors/app-error';
import { type Db, db, pool } from '@/lib/platform/db';
import type { Role } from '@/lib/platform/generated/prisma/client';
import { bind, param, statement } from '@/lib/platform/sql';
import { closeAccount, createAccount, lockAddress } from './accounts';
import { isConfirmed } from './confirmed-minutes';
import { hasSecondFactor, lockUser } from './second-factor';
import { endOtherSessions, type SignedIn } from './session';
import { type Initiator, lockTeam, revokeInvitationsOf } from './team';

/** The name and the password are those that the person set with the proof. */
type Proof = { email: string; name?: string; password?: { passwordHash: string; passwordExpiresAt: Date | null } };

/** An address can be longer. */
const MAX_NAME = 200;

/**
 * Returns the id of the account with the proven address, or null if the address has no account. It is created if there
 * are only unproven ones. These stay as they are: what the owner of their tenant sees or can do must not depend on a
 * proof elsewhere. The person can take them over (`takeOver`). A `password` replaces that of the account and ends its
 * sessions. The caller must have called `lockAddress`.
 */
export async function proveAddress(tx: Db, now: Date, { email, name, password }: Proof): Promise<string | null> {
  const accounts = await tx.user.findMany({
    where: { email, closedAt: null },
    select: { id: true, addressProvenAt: true, memberships: { take: 1, select: { tenantId: true } } },
  });
  if (accounts.length === 0) return null;
  const proven = accounts.find(({ addressProvenAt }) => addressProvenAt !== null);
  // Nobody knows who chose the names of the other accounts.
  const initial = name ?? email.slice(0, MAX_NAME);
  if (!proven) return createAccount(tx, now, { email, name: initial, passwordHash: null, ...password, tenantId: null });
  if (password) {
    await lockUser(tx, proven.id);
    // A name that is in use stays: the person's other tenants would see that something happened elsewhere.
    const named = name !== undefined && proven.memberships.length === 0 && { name };
    await tx.user.update({ where: { id: proven.id }, data: { ...password, ...named } });
    await endOtherSessions(tx, proven.id, now, null);
  }
  return proven.id;
}

/** A membership of an unproven account, which the person who has proven its address can take over. */
export type Offer = { tenant_id: string; tenant_name: string; role: Role; joined_at: Date };

/** Whoever has taken these over sees the next ones. */
const MAX_OFFERS = 50;

const OFFERS = statement<Offer>('address-offers')`
  SELECT t.id AS tenant_id, t.name AS tenant_name, m.role::text AS role, m.created_at AS joined_at
  FROM users u JOIN memberships m ON m.user_id = u.id JOIN tenants t ON t.id = m.tenant_id
  WHERE u.email = ${param.text('email')} AND u.closed_at IS NULL AND u.address_proven_at IS NULL
  ORDER BY lower(t.name), t.id LIMIT ${MAX_OFFERS}`;

/** Returns what a person can take over. Returns nothing to a person whose address is not proven. */
export async function offersTo({ addressProven, email }: SignedIn): Promise<Offer[]> {
  if (!addressProven) return [];
  const { rows } = await pool().query<Offer>(bind(OFFERS, { email }));
  return rows;
}

/**
 * Gives the membership of an unproven account to the person who has proven its address. Only this person decides it,
 * because the tenant sees it. An account with a second factor is not given: a mailed link, such as the invitation of
 * another tenant, would lead around the factor.
 * @throws AppError not_found if there is nothing to take over; confirmation_required if the sign-in is older than
 * `CONFIRMED_MINUTES`; account_has_second_factor; business_suspended.
 */
export async function takeOver(now: Date, person: SignedIn, tenantId: string): Promise<void> {
  const { userId, email, addressProven } = person;
  if (!addressProven) throw notFound();
  if (!isConfirmed(now, person)) throw new AppError('confirmation_required');
  await db().$transaction(async (tx) => {
    await lockAddress(tx, email, now);
    await lockTeam(tx, tenantId);
    const actor = { kind: 'owner', id: userId, tenantId } as const;
    await refuseGuarded(tx, tenantId, email);
    if (!(await replaceUnproven(tx, now, { tenantId, actor, userId, email }))) throw notFound();
    const tenant = await tx.tenant.findUniqueOrThrow({ where: { id: tenantId }, select: { suspendedAt: true } });
    if (tenant.suspendedAt) throw new AppError('business_suspended');
  });
}

const unprovenIn = (tenantId: string, email: string) => ({
  email,
  closedAt: null,
  addressProvenAt: null,
  memberships: { some: { tenantId } },
});

async function refuseGuarded(tx: Db, tenantId: string, email: string): Promise<void> {
  const other = await tx.user.findFirst({ where: unprovenIn(tenantId, email), select: { id: true } });
  if (!other) return;
  // Waits for a second factor that is being set up.
  await lockUser(tx, other.id);
  if (await hasSecondFactor(tx, other.id)) throw new AppError('account_has_second_factor');
}

/**
 * Replaces the unproven account with an address in a team by the account `userId`, and closes it with its password,
 * factors, sessions, and sent invitations, because nobody knows who set them. Returns false without such an account.
 * The caller must have called `lockAddress` and `lockTeam`.
 */
export async function replaceUnproven(
  tx: Db,
  now: Date,
  { tenantId, actor, userId, email }: Initiator & { userId: string; email: string },
): Promise<boolean> {
  const other = await tx.user.findFirst({ where: unprovenIn(tenantId, email), select: { id: true, name: true } });
  if (!other) return false;
  await revokeInvitationsOf(tx, now, { tenantId, actor, userId: other.id });
  if ((await tx.membership.count({ where: { userId } })) === 0)
    await tx.user.update({ where: { id: userId }, data: { name: other.name } });
  // A team has an address only once (`inviteIn`), so `userId` is not a member yet.
  const moved = { tenantId_userId: { tenantId, userId: other.id } };
  await tx.membership.update({ where: moved, data: { userId, lastUsedAt: now } });
  await closeAccount(tx, other.id, now);
  await recordChange(tx, now, {
    tenantId,
    actor,
    action: 'member.account_replaced',
    object: { kind: 'user', id: userId },
    before: { user_id: other.id },
    after: { user_id: userId },
  });
  return true;
}
