import type { Db } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { addressLocks, takeLock } from '@/lib/platform/locks';
import { limitLockWait, lockUser, removeSecondFactors } from './second-factor';
import { endOtherSessions } from './session';

// An account whose address is proven opens all tenants of its user. Any other account belongs to one tenant, because
// its password can come from somebody who only had a link of this tenant (docs/decisions/0028-proof-of-an-address.md).

/**
 * Serializes changes to the accounts of one address, before teams or accounts are locked. Also closes accounts without
 * a membership, such as those of earlier versions. A proven one stays open while it can take over another account of
 * the address (`takeOver`).
 */
export async function lockAddress(tx: Db, email: string, now: Date): Promise<void> {
  await lockAddresses(tx, [email], now);
}

/** Like `lockAddress`, for several addresses. */
export async function lockAddresses(tx: Db, emails: readonly string[], now: Date): Promise<void> {
  await limitLockWait(tx);
  for (const lock of addressLocks(emails)) await takeLock(tx, lock);
  for (const email of emails) await closeUnused(tx, email, now);
}

async function closeUnused(tx: Db, email: string, now: Date): Promise<void> {
  // One statement, so that the work is the same for every address.
  const accounts = await tx.$queryRaw<{ id: string; proven: boolean; used: boolean }[]>`
    SELECT id, address_proven_at IS NOT NULL AS proven,
      EXISTS (SELECT FROM memberships WHERE user_id = users.id) AS used
    FROM users WHERE email = ${email} AND closed_at IS NULL`;
  const others = accounts.some(({ proven, used }) => !proven && used);
  for (const { id, proven, used } of accounts) if (!used && !(proven && others)) await closeAccount(tx, id, now);
}

type NewAccount = {
  email: string;
  name: string;
  passwordHash: string | null;
  passwordExpiresAt?: Date | null;
  tenantId: string | null;
};

/** Creates an account and returns its id. The address is proven if `tenantId` is null. */
export async function createAccount(tx: Db, now: Date, { tenantId, ...account }: NewAccount): Promise<string> {
  const id = newId('usr');
  const proof = tenantId === null ? { addressProvenAt: now } : { tenantId };
  await tx.user.create({ data: { id, ...account, ...proof, createdAt: now } });
  return id;
}

/**
 * Closes an account without a membership: its password, second factors, identity at the provider, and sessions. The
 * person returns only with a new account, so audit entries stay attributable to whoever had the credentials.
 */
export async function closeAccount(tx: Db, userId: string, now: Date): Promise<void> {
  await lockUser(tx, userId);
  await tx.user.update({ where: { id: userId }, data: { passwordHash: null, passwordExpiresAt: null, closedAt: now } });
  await removeSecondFactors(tx, userId);
  await tx.userIdentity.deleteMany({ where: { userId } });
  await endOtherSessions(tx, userId, now, null);
}
