import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type { SessionLock } from '@/lib/platform/locks';
import { EnvironmentError } from './connection';

/** Milliseconds. Migrations, backups, and restores hold a migration lock. */
const MAX_WAIT = 600_000;

/**
 * Milliseconds. A statement that waits for the lock would keep a transaction open. CREATE INDEX CONCURRENTLY holds the
 * lock and waits for open transactions, so both would wait forever.
 */
const POLL = 250;

/** `say` announces the wait of at most `wait` milliseconds. `undone` begins the error message. */
export type LockWait = { say?: (line: string) => void; wait?: number; undone?: string };

/**
 * Takes an advisory lock of the client's session, or announces that it waits.
 * @throws EnvironmentError that names the session which still holds the lock after `wait` milliseconds.
 */
export async function takeSessionLock(
  client: pg.Client,
  lock: SessionLock,
  { say = () => {}, wait = MAX_WAIT, undone = 'The database was not migrated' }: LockWait,
): Promise<void> {
  const deadline = performance.now() + wait;
  for (let attempt = 1; ; attempt += 1) {
    const { rows } = await client.query<{ taken: boolean }>(lock.tryTake);
    if (rows[0]?.taken) return;
    const holders = await findHolders(client, lock);
    if (attempt === 1) say(`Waiting for a migration, backup, or restore by ${holders.map(nameOf).join(' and ')} …`);
    const left = deadline - performance.now();
    if (left <= 0) throw new EnvironmentError(`${undone}: ${refusal(holders, wait)}`);
    await delay(Math.min(POLL, left));
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
  return `after ${duration}, the migration lock is still held by ${holders.map(nameOf).join(' and ')}. If a migration, backup, or restore is running, wait until it has ended, then run this command again. If none is running, an earlier command did not close its connection, for example because of a connection pooler. End that connection with ${end}, then run this command again.`;
}
