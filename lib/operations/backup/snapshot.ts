import type pg from 'pg';
import { MIGRATION_LOCKS } from '@/lib/platform/locks';
import { withClient } from '../environment/connection';
import { type LockWait, takeSessionLock } from '../environment/lock-wait';

/** The text format of values must not depend on the database server's configuration. */
export const TEXT_SETTINGS = `SET datestyle = 'ISO, YMD'; SET intervalstyle = 'postgres'; SET timezone = 'UTC';
  SET extra_float_digits = 1; SET bytea_output = 'hex'; SET statement_timeout = 0`;

/** In a transaction that loads events with their sequences, no event gets a new one (trigger `number_event`). */
export const LOADING = `SELECT set_config('partner_booking.loading', 'on', true)`;

/**
 * Runs `work` in a consistent snapshot of the database. Meanwhile, other processes can read and write, but migrations
 * wait.
 * @throws EnvironmentError if a migration or restore does not end in time.
 */
export async function withSnapshot<T>(
  databaseUrl: string,
  waiting: LockWait,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  return withClient(databaseUrl, async (client) => {
    await client.query(TEXT_SETTINGS);
    // Migrations wait until the connection closes. Before BEGIN, so that the snapshot includes every migration that
    // committed before the lock was granted.
    await takeSessionLock(client, MIGRATION_LOCKS.backup, waiting);
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const result = await work(client);
    await client.query('COMMIT');
    return result;
  });
}
