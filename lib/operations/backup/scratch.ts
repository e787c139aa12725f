import pg from 'pg';
import { DRILL_LOCK } from '@/lib/platform/locks';
import { withDatabaseName } from '@/lib/platform/postgres/hosts';
import { StartError } from '@/lib/platform/postgres/start-error';
import { withClient } from '../environment/connection';

/** Marks a database that a drill may drop. */
const COMMENT = 'Scratch database of npm run drill';

/** PostgreSQL cuts longer names. */
const MAX_NAME = 63;
const SUFFIX = '_drill';

const INSUFFICIENT_PRIVILEGE = '42501';
const OBJECT_IN_USE = '55006';
/** Attempts to drop the database. */
const DROPS = 5;

const FIND = `
  SELECT coalesce(shobj_description(oid, 'pg_database') = $2, false) AS ours FROM pg_database WHERE datname = $1`;

/**
 * Runs `work` with the URL of a new, empty database beside the one in `ownerUrl`, to which only the owner can connect.
 * Drops it afterward, also after an error or an abort, and before, if a killed run has left it.
 * @throws StartError if another run is in progress, if the role must not create databases, or if the name is taken.
 */
export async function withScratchDatabase<T>(
  ownerUrl: string,
  signal: AbortSignal,
  work: (scratchUrl: string) => Promise<T>,
): Promise<T> {
  return withClient(ownerUrl, async (client) => {
    const { rows } = await client.query<{ taken: boolean }>(DRILL_LOCK);
    if (!rows[0]?.taken) throw new StartError('Another drill is running. Wait until it ends, or stop it.');
    const name = await nameBeside(client);
    await refuseForeign(client, name);
    await drop(client, name);
    await create(client, name);
    try {
      // An abort does not wait for `work`: the drop ends its connections.
      return await Promise.race([work(withDatabaseName(ownerUrl, name)), aborted(signal)]);
    } finally {
      await drop(client, name);
    }
  });
}

async function nameBeside(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ source: string }>('SELECT current_database() AS source');
  const bytes = Buffer.from(rows[0]?.source ?? '').subarray(0, MAX_NAME - SUFFIX.length);
  // Cutting a multibyte character gives a replacement character, which is longer.
  return `${bytes.toString().replaceAll('\uFFFD', '')}${SUFFIX}`;
}

async function refuseForeign(client: pg.Client, name: string): Promise<void> {
  const { rows } = await client.query<{ ours: boolean }>(FIND, [name, COMMENT]);
  if (rows.some(({ ours }) => !ours))
    throw new StartError(`The database ${name} exists, and no drill has created it. Rename or drop it.`);
}

const TERMINATE = `
  SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND usename = current_user`;

/**
 * WITH (FORCE) would fail while autovacuum works in the database, because only a superuser may end its processes that
 * way. Without it, PostgreSQL ends autovacuum itself, and waits up to five seconds for other connections to close.
 */
async function drop(client: pg.Client, name: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await client.query(TERMINATE, [name]);
      await client.query(`DROP DATABASE IF EXISTS ${pg.escapeIdentifier(name)}`);
      return;
    } catch (error) {
      if (attempt === DROPS || (error as { code?: string }).code !== OBJECT_IN_USE) throw error;
    }
  }
}

async function create(client: pg.Client, name: string): Promise<void> {
  const quoted = pg.escapeIdentifier(name);
  try {
    // With template1, the database would also contain what an operator has added to template1.
    await client.query(`CREATE DATABASE ${quoted} TEMPLATE template0`);
  } catch (error) {
    if ((error as { code?: string }).code !== INSUFFICIENT_PRIVILEGE) throw error;
    throw new StartError(await describeMissing(client));
  }
  await client.query(`COMMENT ON DATABASE ${quoted} IS ${pg.escapeLiteral(COMMENT)}`);
  await client.query(`REVOKE ALL ON DATABASE ${quoted} FROM PUBLIC`);
}

const ROLE = `
  SELECT format('%I', current_user) AS role, pg_has_role(datdba, 'USAGE') AS owner
  FROM pg_database WHERE datname = current_database()`;

// The role of the servers must not get this right.
async function describeMissing(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ role: string; owner: boolean }>(ROLE);
  const { role, owner } = rows[0] ?? { role: '', owner: true };
  return owner
    ? `A drill restores into a scratch database, and the role ${role} is not allowed to create one. Run as a superuser: ALTER ROLE ${role} CREATEDB;`
    : `A drill restores into a scratch database, and the role ${role} does not own the database. Set MIGRATION_DATABASE_URL to the URL of the role that owns it.`;
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
}
