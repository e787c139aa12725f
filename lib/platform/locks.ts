import { createHash } from 'node:crypto';
import type { Db } from './db';

/*
 * The SQL of every advisory lock in this project. A transaction lock (`xact`) is released when its transaction ends. A
 * session lock is released when it is unlocked or its connection closes.
 *
 * To avoid deadlocks, every write takes its locks in this order: the tenant's advisory lock, the row of the idempotency
 * key, the specialists' advisory locks in ascending order of `lockKey`, and then the rows that the write changes.
 */

/** The key of the migration lock: the ASCII codes of "migr". */
export const MIGRATION_LOCK = 0x6d696772;

/** The key of the advisory lock that Prisma takes while it migrates. */
export const PRISMA_MIGRATION_LOCK = 72_707_369;

/**
 * The key of `ATTEMPTS_LOCK`. Never change this number: during an upgrade, the old and the new version must use the
 * same lock.
 */
export const ATTEMPTS_LOCK_KEY = 7_325_001;

/** The kinds of advisory locks on records. Locks of different kinds never block each other, even for the same id. */
type LockKind = 'tenant' | 'specialist' | 'attempts' | 'address';

/** Returns the key of a record's advisory lock: a 64-bit hash of the lock's kind and the record's id. */
export function lockKey(kind: LockKind, id: string): bigint {
  return createHash('sha256').update(`${kind} ${id}`).digest().readBigInt64BE();
}

/**
 * Returns the SQL of the lock that every write to a tenant's data takes. Three operations take the lock exclusively, so
 * that no write runs at the same time: a sandbox reset, the first transaction of a tenant's deletion, and each transaction
 * that derives bookings again after a change of time zone rules.
 */
export function sharedTenantLock(tenantId: string): string {
  return `SELECT pg_advisory_xact_lock_shared(${lockKey('tenant', tenantId)})`;
}

/**
 * Returns the SQL that takes a tenant's lock exclusively, for example for a sandbox reset. The statement waits until
 * the tenant's running writes end. New writes then wait until the transaction of the statement ends.
 */
export function exclusiveTenantLock(tenantId: string): string {
  return `SELECT pg_advisory_xact_lock(${lockKey('tenant', tenantId)})`;
}

/** Selects the keys of all advisory locks with such a key that someone in this database holds or waits for. */
export const HELD_KEYS = `
  SELECT DISTINCT ((classid::bigint << 32) | objid::bigint)::text AS key FROM pg_locks
  WHERE locktype = 'advisory' AND objsubid = 1 AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;

/**
 * Returns the SQL that locks these specialists in ascending order of their lock keys, so that two writes cannot
 * deadlock.
 */
export function specialistLocks(ids: readonly string[]): string {
  const keys = [...new Set(ids.map((id) => lockKey('specialist', id)))].sort((a, b) => (a < b ? -1 : 1));
  return keys.map((key) => `SELECT pg_advisory_xact_lock(${key})`).join('; ');
}

/** Returns the SQL of the lock that serializes changes to the accounts with an email address. */
export function addressLock(email: string): string {
  return `SELECT pg_advisory_xact_lock(${lockKey('address', email)})`;
}

/** The lock that serializes changes to the sandbox's credentials. */
export const SANDBOX_CREDENTIALS_LOCK = `SELECT pg_advisory_xact_lock(hashtextextended('partner-booking/sandbox', 0))`;

/**
 * The lock that a transaction takes before it starts webhook attempts. Processes of this version share the lock with
 * each other, but not with processes of an earlier version, which take it exclusively. During an upgrade, the two
 * versions therefore do not start attempts at the same time.
 */
export const ATTEMPTS_LOCK = `SELECT pg_advisory_xact_lock_shared(${ATTEMPTS_LOCK_KEY})`;

/** Returns the key of the lock that a process takes to start webhook attempts of an application. */
export function attemptsKey(applicationId: string): bigint {
  return lockKey('attempts', applicationId);
}

/** Returns the SQL that waits for the lock of `attemptsKey` and takes it. */
export function attemptsLock(applicationId: string): string {
  return `SELECT pg_advisory_xact_lock(${attemptsKey(applicationId)})`;
}

/** The lock that serializes the creation of tenants by the operator. */
export const TENANTS_LOCK = `SELECT pg_advisory_xact_lock(hashtextextended('partner-booking/tenants', 0))`;

/** The lock that serializes changes to the partitions of the request log. */
export const PARTITIONS_LOCK = `SELECT pg_advisory_xact_lock(hashtextextended('partner-booking/partitions', 0))`;

/** The lock that a running rotation of SECRET_KEY holds until its connection closes. */
export const ROTATION_LOCK = `SELECT pg_try_advisory_lock(hashtextextended('partner-booking/rotation', 0)) AS taken`;

/** The SQL of an advisory lock that a database session holds. Such a lock does not work through a connection pooler. */
export type SessionLock = ReturnType<typeof sessionLock>;

function sessionLock(key: number, mode: '' | '_shared' = '') {
  return {
    /** Takes the lock if it is free. The column `taken` is false if it is not. */
    tryTake: `SELECT pg_try_advisory_lock${mode}(${key}) AS taken`,
    release: `SELECT pg_advisory_unlock${mode}(${key})`,
    /** Selects the database sessions that hold the lock. */
    holders: `
      SELECT l.pid, coalesce(host(a.client_addr), 'a local socket') AS address
      FROM pg_locks l LEFT JOIN pg_stat_activity a USING (pid)
      WHERE l.locktype = 'advisory' AND l.granted AND l.classid = 0 AND l.objid = ${key} AND l.objsubid = 1
        AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
      ORDER BY l.pid`,
  } as const;
}

/** The first key of the locks of `leaseSessionLock`: the ASCII codes of "leas". No other lock has two keys. */
const LEASE_SESSIONS = 0x6c656173;

/**
 * Returns the SQL that takes the lock of a session that holds leases of webhook attempts, and the SQL that frees the leases
 * of all sessions whose lock nobody holds. `id` is a positive 32-bit integer.
 */
export function leaseSessionLock(id: number) {
  return {
    take: `SELECT pg_try_advisory_lock(${LEASE_SESSIONS}, ${id})`,
    free: `
      UPDATE deliveries SET leased_until = NULL WHERE leased_until IS NOT NULL AND leased_by NOT IN (
        SELECT l.objid::bigint FROM pg_locks l
        WHERE l.locktype = 'advisory' AND l.granted AND l.classid = ${LEASE_SESSIONS} AND l.objsubid = 2
          AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database()))`,
  };
}

/**
 * Locks that allow only one migration or restore at a time, and no migration or restore during a backup. Prisma's own
 * lock is not sufficient, because a process stops waiting for it after ten seconds.
 */
export const MIGRATION_LOCKS = {
  migrate: sessionLock(MIGRATION_LOCK),
  backup: sessionLock(MIGRATION_LOCK, '_shared'),
} as const;

/** Prisma's own migration lock. */
export const PRISMA_LOCK = sessionLock(PRISMA_MIGRATION_LOCK);

/** Takes a lock within a Prisma transaction. */
export async function takeLock(tx: Pick<Db, '$executeRawUnsafe'>, lock: string): Promise<void> {
  // This cannot inject SQL, because locks are built in this file, from constants and hashes only.
  await tx.$executeRawUnsafe(lock);
}
