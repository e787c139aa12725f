import type { Db } from './db';

/*
 * The SQL of every advisory lock of this project. A transaction lock (`xact`) is released when its transaction ends, any
 * other lock when it is unlocked or its connection closes. A write locks in this order: the tenant (advisory), the row of
 * the idempotency key, the specialists (advisory, in ascending order of `lockKey`), then the rows that it changes.
 */

/** Any constant; this one spells "migr". */
export const MIGRATION_LOCK = 0x6d696772;

/** The key that Prisma uses while it migrates. */
const PRISMA_MIGRATION_LOCK = 72_707_369;

/** Any constant. */
export const LEASE_LOCK = 7_325_001;

/** Above every result of `lockKey`. */
const ATTEMPTS_OF_APPLICATION = 2 ** 51;

/** Returns the key of the advisory lock of a record: the last 50 random bits of its id as an integer. */
export function lockKey(id: string): number {
  const digits = '0123456789abcdefghjkmnpqrstvwxyz';
  let key = 0;
  for (const character of id.slice(-10)) key = key * 32 + Math.max(0, digits.indexOf(character));
  return key;
}

/**
 * Returns the lock of every write to a tenant's data, the owner's included. A sandbox reset takes it exclusively, so a
 * write runs before or after a reset, never during one.
 */
export function sharedTenantLock(tenantId: string): string {
  return `SELECT pg_advisory_xact_lock_shared(${lockKey(tenantId)})`;
}

/** Returns the lock that a sandbox reset takes: it waits for all writes of the tenant and keeps out new ones. */
export function exclusiveTenantLock(tenantId: string): string {
  return `SELECT pg_advisory_xact_lock(${lockKey(tenantId)})`;
}

/** Returns the locks of these specialists, in ascending order of their keys, so that two writes cannot deadlock. */
export function specialistLocks(ids: readonly string[]): string {
  const keys = [...new Set(ids.map(lockKey))].sort((a, b) => a - b);
  return keys.map((key) => `SELECT pg_advisory_xact_lock(${key})`).join('; ');
}

/** Serializes changes to the credentials of the sandbox. */
export const SANDBOX_CREDENTIALS_LOCK = `SELECT pg_advisory_xact_lock(hashtextextended('partner-booking/sandbox', 0))`;

/** A process of an earlier version takes this lock exclusively while it starts webhook attempts, for all applications. */
export const ATTEMPTS_LOCK = `SELECT pg_advisory_xact_lock_shared(${LEASE_LOCK})`;

/** Returns the key of the lock that serializes the start of an application's webhook attempts. */
export function attemptsKey(applicationId: string): number {
  return ATTEMPTS_OF_APPLICATION + lockKey(applicationId);
}

/** Serializes changes of the partitions of the request log. */
export const PARTITIONS_LOCK = `SELECT pg_advisory_xact_lock(hashtextextended('partner-booking/partitions', 0))`;

/**
 * Migrations: one process at a time, and none during a backup or a restore. Prisma's own lock gives up after ten
 * seconds; this one waits.
 */
export const MIGRATION_LOCKS = {
  migrate: `SELECT pg_advisory_lock(${MIGRATION_LOCK})`,
  backup: `SELECT pg_advisory_lock_shared(${MIGRATION_LOCK})`,
  restore: `SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`,
} as const;

/** Waits for a migration that Prisma is running. */
export const PRISMA_LOCK = {
  take: `SELECT pg_advisory_lock(${PRISMA_MIGRATION_LOCK})`,
  release: `SELECT pg_advisory_unlock(${PRISMA_MIGRATION_LOCK})`,
} as const;

/** Takes a lock within a Prisma transaction. */
export async function takeLock(tx: Pick<Db, '$executeRawUnsafe'>, lock: string): Promise<void> {
  // Safe: the text contains only a number from this file, no input.
  await tx.$executeRawUnsafe(lock);
}
