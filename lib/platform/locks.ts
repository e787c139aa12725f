import { createHash } from 'node:crypto';
import type { Db } from './db';

/*
 * The SQL of every advisory lock in this project. To avoid deadlocks, every write takes its locks in this order: the
 * tenant's advisory lock, the row of the idempotency key, the specialists' advisory locks in ascending order of
 * `lockKey`, the rows that the write changes, and at the commit the row of the application in `event_counters`.
 */

/** The ASCII codes of "migr". */
export const MIGRATION_LOCK = 0x6d696772;

/** Locks of different kinds never block each other, even for the same id. */
type LockKind = 'tenant' | 'booking' | 'specialist' | 'attempts' | 'address' | 'file';

/** Returns the key of a record's advisory lock, a 64-bit hash. */
export function lockKey(kind: LockKind, id: string): bigint {
  return createHash('sha256').update(`${kind} ${id}`).digest().readBigInt64BE();
}

/**
 * Returns the SQL of the lock that every write to a tenant's data takes. Four operations take the lock exclusively, so
 * that no write runs at the same time: a sandbox reset, the first transaction of a tenant's deletion, each transaction
 * that derives bookings again after a change of time zone rules, and each change of a block.
 */
export function sharedTenantLock(tenantId: string): string {
  return `SELECT pg_advisory_xact_lock_shared(${lockKey('tenant', tenantId)})`;
}

/** Returns the tenant's lock without any other write: it waits for running writes, and keeps new ones waiting. */
export function exclusiveTenantLock(tenantId: string): string {
  return `SELECT pg_advisory_xact_lock(${lockKey('tenant', tenantId)})`;
}

/** Selects the keys of all advisory locks with such a key that someone in this database holds or waits for. */
export const HELD_KEYS = `
  SELECT DISTINCT ((classid::bigint << 32) | objid::bigint)::text AS key FROM pg_locks
  WHERE locktype = 'advisory' AND objsubid = 1 AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;

/** In ascending order, so that two writes cannot deadlock. */
function locksOf(kind: LockKind, ids: readonly string[]): string[] {
  const keys = [...new Set(ids.map((id) => lockKey(kind, id)))].sort((a, b) => (a < b ? -1 : 1));
  return keys.map((key) => `SELECT pg_advisory_xact_lock(${key})`);
}

/** Returns the locks of specialists, in ascending order of their lock keys. */
export function specialistLocks(ids: readonly string[]): string {
  return locksOf('specialist', ids).join('; ');
}

/** Returns the lock that a create by the business takes in place of the row of an idempotency key. */
export function bookingLock(reference: string): string {
  return `SELECT pg_advisory_xact_lock(${lockKey('booking', reference)})`;
}

/** Returns the lock that instances of one machine take to append to the same file. */
export function fileLock(path: string): string {
  return `SELECT pg_advisory_xact_lock(${lockKey('file', path)})`;
}

/** Returns the locks that serialize changes to the accounts with email addresses, in ascending order of their lock keys. */
export function addressLocks(emails: readonly string[]): string[] {
  return locksOf('address', emails);
}

export const SANDBOX_CREDENTIALS_LOCK = `SELECT pg_advisory_xact_lock(hashtextextended('partner-booking/sandbox', 0))`;

/** Returns the key of the lock that a process takes to start webhook attempts of an application. */
export function attemptsKey(applicationId: string): bigint {
  return lockKey('attempts', applicationId);
}

/** Returns the SQL that waits for the lock of `attemptsKey` and takes it. */
export function attemptsLock(applicationId: string): string {
  return `SELECT pg_advisory_xact_lock(${attemptsKey(applicationId)})`;
}

export const TENANTS_LOCK = `SELECT pg_advisory_xact_lock(hashtextextended('partner-booking/tenants', 0))`;

export const PARTITIONS_LOCK = `SELECT pg_advisory_xact_lock(hashtextextended('partner-booking/partitions', 0))`;

/** Held by a running rotation of SECRET_KEY until its connection closes. */
export const ROTATION_LOCK = `SELECT pg_try_advisory_lock(hashtextextended('partner-booking/rotation', 0)) AS taken`;

/** Held by a running drill until its connection closes. */
export const DRILL_LOCK = `SELECT pg_try_advisory_lock(hashtextextended('partner-booking/drill', 0)) AS taken`;

/** Held by a database session. Such a lock does not work through a connection pooler. */
export type SessionLock = ReturnType<typeof sessionLock>;

function sessionLock(key: number, mode: '' | '_shared' = '') {
  return {
    tryTake: `SELECT pg_try_advisory_lock${mode}(${key}) AS taken`,
    holders: `
      SELECT l.pid, coalesce(host(a.client_addr), 'a local socket') AS address
      FROM pg_locks l LEFT JOIN pg_stat_activity a USING (pid)
      WHERE l.locktype = 'advisory' AND l.granted AND l.classid = 0 AND l.objid = ${key} AND l.objsubid = 1
        AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
      ORDER BY l.pid`,
  } as const;
}

/** The ASCII codes of "leas". No other lock has two keys. */
const LEASE_SESSIONS = 0x6c656173;

/**
 * Returns the lock of a session that holds leases of webhook attempts, and the SQL that frees the leases of all
 * sessions whose lock nobody holds. `id` is a positive 32-bit integer.
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

export const MIGRATION_LOCKS = {
  migrate: sessionLock(MIGRATION_LOCK),
  backup: sessionLock(MIGRATION_LOCK, '_shared'),
} as const;

/** Takes a lock within a Prisma transaction. */
export async function takeLock(tx: Pick<Db, '$executeRawUnsafe'>, lock: string): Promise<void> {
  // Locks are built in this file, from constants and hashes only.
  await tx.$executeRawUnsafe(lock);
}
