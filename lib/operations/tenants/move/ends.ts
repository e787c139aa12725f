import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { MIGRATION_LOCKS, MOVE_LOCK, tenantMoveLock } from '@/lib/platform/locks';
import { StartError } from '@/lib/platform/postgres/start-error';
import { TEXT_SETTINGS } from '../../backup/snapshot';
import { withClient } from '../../environment/connection';
import { type LockWait, takeSessionLock } from '../../environment/lock-wait';
import { isDirect, isSameDatabase, requireDirect } from '../../environment/pooler';
import type { Ends } from './copy';

/**
 * Maximum milliseconds to wait for the lock of a tenant's move. After a command is killed, PostgreSQL may need a little
 * more than one second (see `CHECK`) until it notices this and releases the command's lock.
 */
const ENDING = 3_000;
/** Milliseconds between two attempts to take a lock. */
const POLL = 250;

// Without this setting, a session of a command that was killed remains until its statement ends, which can take a long
// time. PostgreSQL lacks the setting on some systems.
const CHECK = `SET client_connection_check_interval = '1s'`;

const ROLE = `
  SELECT current_user AS role, pg_is_in_recovery() AS standby,
    has_database_privilege(current_database(), 'CREATE') AND coalesce(
      (SELECT pg_has_role(relowner, 'USAGE') FROM pg_class WHERE oid = to_regclass('environment')), true) AS owns`;

/** The URLs of the two databases, each with the role that owns the database. */
export type Urls = { sourceUrl: string; targetUrl: string };

/**
 * Connects to both databases and takes the locks of a move. Waits while another tenant is being moved from the same
 * cell.
 * @throws StartError if the URLs do not lead to the databases of two cells, if the role in a URL does not own its
 *   database, or if another command is moving the tenant.
 */
export async function withEnds<T>(
  { sourceUrl, targetUrl, tenantId }: Urls & { tenantId: string },
  { signal, say, wait }: LockWait & { signal: AbortSignal },
  work: (ends: Ends) => Promise<T>,
): Promise<T> {
  const atTarget = async (source: pg.Client, target: pg.Client) => {
    await checkConnections(source, target);
    for (const client of [source, target]) {
      await client.query(CHECK).catch(() => undefined);
      await client.query(TEXT_SETTINGS);
    }
    await takeMoveLocks(source, tenantId, { signal, say });
    for (const client of [source, target])
      await takeSessionLock(client, MIGRATION_LOCKS.backup, { say, wait, undone: 'The tenant was not moved' });
    return work({ source, target, signal });
  };
  return withClient(sourceUrl, (source) =>
    withClient(targetUrl, (target) => atTarget(source, target), 'The database of TARGET_DATABASE_URL'),
  );
}

async function checkConnections(source: pg.Client, target: pg.Client): Promise<void> {
  await requireDirect(source);
  if (await isSameDatabase(source, target))
    throw new StartError(
      'TARGET_DATABASE_URL leads to the database of this cell. Set it to a URL of the other cell’s database.',
    );
  if (!(await isDirect(target)))
    throw new StartError(
      'TARGET_DATABASE_URL leads through a connection pooler. Set it to the address of PostgreSQL itself.',
    );
  const [here, there] = [await roleOf(source), await roleOf(target)];
  if (there?.standby) throw new StartError('TARGET_DATABASE_URL leads to a standby. Set it to a URL of the primary.');
  if (!here?.owns)
    throw new StartError(
      `The role ${here?.role} does not own the database of this cell. Set MIGRATION_DATABASE_URL to a URL with the role that owns that database.`,
    );
  if (!there?.owns)
    throw new StartError(
      `The role ${there?.role} does not own the database of TARGET_DATABASE_URL. Set TARGET_DATABASE_URL to a URL with the role that owns that database.`,
    );
}

type Role = { role: string; standby: boolean; owns: boolean };

const roleOf = async (client: pg.Client) => (await client.query<Role>(ROLE)).rows[0];

async function takeMoveLocks(
  source: pg.Client,
  tenantId: string,
  { signal, say = () => {} }: LockWait & { signal: AbortSignal },
): Promise<void> {
  const take = async (lock: string) => (await source.query<{ taken: boolean }>(lock)).rows[0]?.taken === true;
  const deadline = performance.now() + ENDING;
  while (!(await take(tenantMoveLock(tenantId)))) {
    if (performance.now() > deadline)
      throw new StartError('Another command is moving this tenant now. Run move again if that command fails.');
    await delay(POLL, undefined, { signal });
  }
  for (let tries = 1; !(await take(MOVE_LOCK)); tries += 1) {
    if (tries === 1) say('Another tenant is being moved from this cell. Waiting until that move ends …');
    await delay(POLL, undefined, { signal });
  }
}
