import type { Actor } from '@/lib/activity/audit/actor';
import { recordChanges } from '@/lib/activity/audit/record';
import type { Db } from '@/lib/platform/db';
import { closeAccount, createAccount } from './accounts';
import { lockUser } from './second-factor';
import { endOtherSessions } from './session';
import { revokeInvitationsOf } from './team';

/**
 * A proof that an address belongs to a person. `chosen` is what the person has set with the proof, such as the name and
 * the password of an invitation by the operator.
 */
type Proof = {
  email: string;
  chosen?: { name?: string; passwordHash: string; passwordExpiresAt: Date | null };
  actorOf: (userId: string, tenantId: string) => Actor;
};

/**
 * Locks the teams to which the accounts with an address belong, and the team of `tenantId`. Locks them in the order of
 * their ids, so that two transactions cannot wait for each other.
 */
export async function lockTeamsOf(tx: Db, email: string, tenantId = ''): Promise<void> {
  await tx.$queryRaw`
    SELECT 1 FROM tenants WHERE id = ${tenantId}
      OR id IN (SELECT tenant_id FROM users WHERE email = ${email} AND closed_at IS NULL)
    ORDER BY id FOR NO KEY UPDATE`;
}

/**
 * Gives the account with the proven address everything that belongs to the address, and returns its id. Creates this
 * account if all accounts of the address are unproven. It takes over the memberships of all other accounts with this address, and these are closed:
 * nobody knows who set their passwords and second factors. Returns null if the address has no account. If `chosen` is
 * given, it replaces the password, and all sessions of the account end.
 *
 * The caller must have called `lockAddress`.
 */
export async function proveAddress(tx: Db, now: Date, proof: Proof): Promise<string | null> {
  const { email, chosen } = proof;
  await lockTeamsOf(tx, email);
  const found = await tx.user.findMany({
    where: { email, closedAt: null, memberships: { some: {} } },
    include: { memberships: { orderBy: { lastUsedAt: { sort: 'desc', nulls: 'last' } } } },
  });
  const proven = found.find(({ addressProvenAt }) => addressProvenAt !== null);
  const others = found.filter((one) => one !== proven);
  const [model] = others.sort((one, other) => lastUse(other) - lastUse(one));
  const account = proven ?? model;
  if (!account) return null;
  const created = { email, name: account.name, passwordHash: null, ...chosen, tenantId: null };
  const userId = proven?.id ?? (await createAccount(tx, now, created));
  if (proven && chosen) {
    await lockUser(tx, userId);
    await tx.user.update({ where: { id: userId }, data: chosen });
    await endOtherSessions(tx, userId, now, null);
  }
  for (const other of others) await takeOver(tx, now, other, userId, proof);
  return userId;
}

type Other = { id: string; memberships: { tenantId: string; lastUsedAt: Date | null }[] };

const lastUse = ({ memberships: [used] }: Other) => used?.lastUsedAt?.getTime() ?? 0;

async function takeOver(tx: Db, now: Date, { id, memberships }: Other, userId: string, { actorOf }: Proof) {
  for (const { tenantId } of memberships) {
    await revokeInvitationsOf(tx, now, { tenantId, actor: actorOf(userId, tenantId), userId: id });
    // A team has an address only once (`inviteIn`), so `userId` is not a member yet. A tenant that somebody else may have
    // opened last is not the one that opens after the sign-in.
    const data = { userId, lastUsedAt: null };
    await tx.membership.update({ where: { tenantId_userId: { tenantId, userId: id } }, data });
  }
  await closeAccount(tx, id, now);
  const changes = memberships.map(({ tenantId }) => ({
    tenantId,
    actor: actorOf(userId, tenantId),
    action: 'member.account_replaced',
    object: { kind: 'user', id: userId },
    before: { user_id: id },
    after: { user_id: userId },
  }));
  await recordChanges(tx, now, changes);
}
