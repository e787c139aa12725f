import type { Db } from './db';

/*
 * The SQL of every advisory lock of this project. PostgreSQL releases a transaction lock (`xact`) when its transaction
 * ends, and any other lock when it is unlocked or its connection closes. To avoid deadlocks, every write takes its locks
 * in this order: the tenant (advisory), the row of the idempotency key, the specialists (advisory, in ascending order of
 * `lockKey`), then the rows that it changes.
 */

/** An arbitrary number: the ASCII codes of "migr". */
export const MIGRATION_LOCK = 0x6d696772;

/** The key of the advisory lock that Prisma takes while it migrates. */
const PRISMA_MIGRATION_LOCK = 72_707_369;

/** The key of `ATTEMPTS_LOCK`, an arbitrary number that all versions share. */
export const LEASE_LOCK = 7_325_001;

/**
 * Added to the keys of `attemptsKey`. It is above every result of `lockKey`, so the two kinds of keys never collide.
 */
const ATTEMPTS_OF_APPLICATION = 2 ** 51;

/** Returns the key of the advisory lock for a record: the last 50 bits of its id, which are random, as an integer. */
export function lockKey(id: string): number {
  const digits = '0123456789abcdefghjkmnpqrstvwxyz';
  let key = 0;
  for (const character of id.slice(-10)) key = key * 32 + Math.max(0, digits.indexOf(character));
  return key;
}

/**
 * Returns the lock that every write to a tenant's data takes, including the writes of owners. A sandbox reset takes the
 * same lock exclusively, so no write runs during a reset.
 */
export function sharedTenantLock(tenantId: string): string {
  return `SELECT pg_advisory_xact_lock_shared(${lockKey(tenantId)})`;
}

/**
 * Returns the lock that a sandbox reset takes. It waits until all running writes to the tenant's data have ended, and
 * blocks new ones.
 */
export function exclusiveTenantLock(tenantId: string): string {
  return `SELECT pg_advisory_xact_lock(${lockKey(tenantId)})`;
}

/** Returns the locks of these specialists, in ascending order of their keys, so that two writes cannot deadlock. */
export function specialistLocks(ids: readonly string[]): string {
  const keys = [...new Set(ids.map(lockKey))].sort((a, b) => a - b);
  return keys.map((key) => `SELECT pg_advisory_xact_lock(${key})`).join('; ');
}

/** The lock that serializes changes to the credentials of the sandbox. */
export const SANDBOX_CREDENTIALS_LOCK = `SELECT pg_advisory_xact_lock(hashtextextended('partner-booking/sandbox', 0))`;

/**
 * The lock for starting webhook attempts. Processes of this version share it. A process of an earlier version takes it
 * exclusively, for the attempts of all applications, so the two versions never start attempts at the same time.
 */
export const ATTEMPTS_LOCK = `SELECT pg_advisory_xact_lock_shared(${LEASE_LOCK})`;

/** Returns the key of the lock that serializes the start of an application's webhook attempts. */
export function attemptsKey(applicationId: string): number {
  return ATTEMPTS_OF_APPLICATION + lockKey(applicationId);
}

/** The lock that serializes changes to the partitions of the request log. */
export const PARTITIONS_LOCK = `SELECT pg_advisory_xact_lock(hashtextextended('partner-booking/partitions', 0))`;

/**
 * The locks that allow only one migration at a time, and none during a backup or a restore. They are necessary because
 * a process that waits for Prisma's own lock gives up after ten seconds. These locks wait without a limit.
 */
export const MIGRATION_LOCKS = {
  migrate: `SELECT pg_advisory_lock(${MIGRATION_LOCK})`,
  backup: `SELECT pg_advisory_lock_shared(${MIGRATION_LOCK})`,
  restore: `SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`,
} as const;

/** Prisma's own lock. A process that takes it waits until a migration that Prisma is running has ended. */
export const PRISMA_LOCK = {
  take: `SELECT pg_advisory_lock(${PRISMA_MIGRATION_LOCK})`,
  release: `SELECT pg_advisory_unlock(${PRISMA_MIGRATION_LOCK})`,
} as const;

/** Takes a lock within a Prisma transaction. */
export async function takeLock(tx: Pick<Db, '$executeRawUnsafe'>, lock: string): Promise<void> {
  // This is safe, because the SQL contains only values from this file and no user input.
  await tx.$executeRawUnsafe(lock);
}
