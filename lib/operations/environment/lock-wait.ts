import type pg from 'pg';
import type { SessionLock } from '@/lib/platform/locks';
import { EnvironmentError } from './connection';

/**
 * The maximum number of milliseconds to wait for a migration lock. The processes that hold it are migrations, backups,
 * and restores.
 */
const MAX_WAIT = 600_000;

/** SQLSTATE lock_not_available: the wait for a lock exceeded lock_timeout. */
const LOCK_TIMEOUT = '55P03';

/** How to wait for a lock: the function that announces a wait, and the maximum number of milliseconds. */
export type LockWait = { say?: (line: string) => void; wait?: number };

/**
 * Takes an advisory lock of the client's session. If another session holds the lock, says so and waits for it.
 * @throws EnvironmentError that names the session if it still holds the lock after `wait` milliseconds.
 */
export async function takeSessionLock(
  client: pg.Client,
  lock: SessionLock,
  { say = () => {}, wait = MAX_WAIT }: LockWait,
): Promise<void> {
  const { rows } = await client.query<{ taken: boolean }>(lock.tryTake);
  if (rows[0]?.taken) return;
  const holders = await findHolders(client, lock);
  say(`Waiting for a migration, backup, or restore of ${holders.map(nameOf).join(' and ')} …`);
  try {
    await client.query(`SET lock_timeout = ${wait}`);
    await client.query(lock.take);
    await client.query('RESET lock_timeout');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === LOCK_TIMEOUT)) throw error;
    throw new EnvironmentError(refusal(await findHolders(client, lock), wait), { cause: error });
  }
}

type Holder = { pid: number; address: string };

async function findHolders(client: pg.Client, lock: SessionLock): Promise<Holder[]> {
  return (await client.query<Holder>(lock.holders)).rows;
}

const nameOf = ({ pid, address }: Holder) => `PostgreSQL process ${pid} (connected from ${address})`;

function refusal(holders: Holder[], wait: number): string {
  const duration = wait >= 60_000 ? `${Math.round(wait / 60_000)} minutes` : `${wait} milliseconds`;
  const end = holders.map(({ pid }) => `SELECT pg_terminate_backend(${pid})`).join('; ');
  return `The database was not migrated: after ${duration}, the migration lock is still held by ${holders.map(nameOf).join(' and ')}. If a migration, backup, or restore is running, start again when it has ended. Otherwise, the connection is left over, for example in a connection pooler: end it with ${end}, then start again.`;
}
