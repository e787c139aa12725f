import { type Db, db } from '@/lib/platform/db';
import { PAGES_LOCK_WAIT } from '@/lib/platform/tenant-scope';

/** Returns whether a user has set up a second factor. */
export async function hasSecondFactor(tx: Db, userId: string): Promise<boolean> {
  if ((await tx.totpFactor.count({ where: { userId, confirmedAt: { not: null } } })) > 0) return true;
  return (await tx.passkey.count({ where: { userId } })) > 0;
}

/** Without secrets. */
export type SecondFactors = {
  /** Null without an authenticator app. */
  totp_since: Date | null;
  passkeys: { id: string; name: string; created_at: Date; last_used_at: Date | null }[];
  recovery_codes: number;
};

/** Returns the second factors of a user. */
export async function secondFactorsOf(userId: string): Promise<SecondFactors> {
  const [totp, passkeys, codes] = await Promise.all([
    db().totpFactor.findUnique({ where: { userId }, select: { confirmedAt: true } }),
    db().passkey.findMany({ where: { userId }, orderBy: { id: 'asc' } }),
    db().recoveryCode.count({ where: { userId, usedAt: null } }),
  ]);
  return {
    totp_since: totp?.confirmedAt ?? null,
    passkeys: passkeys.map(({ id, name, createdAt, lastUsedAt }) => ({
      id,
      name,
      created_at: createdAt,
      last_used_at: lastUsedAt,
    })),
    recovery_codes: codes,
  };
}

/** Limits the waits for locks of a transaction outside `inControlCenter`, which would set this limit. */
export async function limitLockWait(tx: Db): Promise<void> {
  await tx.$executeRawUnsafe(`SET LOCAL lock_timeout = ${PAGES_LOCK_WAIT}`);
}

/** Locks a user's row, so that changes to second factors run one after another. */
export async function lockUser(tx: Db, userId: string): Promise<void> {
  await limitLockWait(tx);
  await tx.$queryRaw`SELECT 1 FROM users WHERE id = ${userId} FOR NO KEY UPDATE`;
}

/** Removes a user's second factors and recovery codes. Returns whether there was a second factor. */
export async function removeSecondFactors(tx: Db, userId: string): Promise<boolean> {
  const found = await hasSecondFactor(tx, userId);
  await tx.totpFactor.deleteMany({ where: { userId } });
  await tx.passkey.deleteMany({ where: { userId } });
  await removeUnneededCodes(tx, userId);
  return found;
}

/** Deletes the user's recovery codes if the user has no second factor left. */
export async function removeUnneededCodes(tx: Db, userId: string): Promise<void> {
  if (!(await hasSecondFactor(tx, userId))) await tx.recoveryCode.deleteMany({ where: { userId } });
}
