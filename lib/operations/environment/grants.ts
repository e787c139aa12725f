import pg from 'pg';
import { MIGRATION_LOCKS } from '@/lib/platform/locks';
import { EnvironmentError, withClient } from './connection';
import { type LockWait, takeSessionLock } from './lock-wait';
import { pendingMigrations } from './migrations';
import { requireSameDatabase } from './pooler';

// The objects of the migrations belong to the role that owns the table `environment`, and others to other programs. A
// partition needs no privilege, because servers access it only through the partitioned table. Without MATERIALIZED,
// PostgreSQL could call `has_sequence_privilege` with a table, which is an error.
const OWNED = `
  WITH owned AS (SELECT relowner AS by FROM pg_class WHERE oid = to_regclass('environment')),
  wanted AS MATERIALIZED (
    SELECT 'SCHEMA' AS kind, format('%I', current_schema()) AS object, 'USAGE' AS privilege,
      has_schema_privilege($1, current_schema(), 'USAGE') AS granted
    UNION ALL
    SELECT 'TABLE', format('%I', relname), privilege, has_table_privilege($1, pg_class.oid, privilege)
    FROM pg_class, owned, unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE']) AS privilege
    WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
      AND relowner = owned.by AND (relname <> '_prisma_migrations' OR privilege = 'SELECT')
    UNION ALL
    SELECT 'SEQUENCE', format('%I', relname), 'USAGE', has_sequence_privilege($1, pg_class.oid, 'USAGE')
    FROM pg_class, owned
    WHERE relnamespace = current_schema()::regnamespace AND relkind = 'S' AND relowner = owned.by
    UNION ALL
    SELECT 'FUNCTION', pg_proc.oid::regprocedure::text, 'EXECUTE', has_function_privilege($1, pg_proc.oid, 'EXECUTE')
    FROM pg_proc, owned
    WHERE pronamespace = current_schema()::regnamespace AND prokind = 'f' AND proowner = owned.by)
  SELECT format('GRANT %s ON %s %s', string_agg(privilege, ', '), kind, object) AS grant
  FROM wanted WHERE NOT granted GROUP BY kind, object ORDER BY 1`;

/** Returns GRANT statements, without TO, for what a server's role lacks. None allows altering or truncating a table. */
export async function missingGrants(client: pg.Client, role: string): Promise<string[]> {
  const { rows } = await client.query<{ grant: string }>(OWNED, [role]);
  return rows.map(({ grant }) => grant);
}

/**
 * Refuses URLs that lead to different databases. Commands would otherwise migrate or back up a database that the
 * servers do not use.
 * @throws EnvironmentError if the databases differ, or cannot be reached.
 */
export async function requireOneDatabase(ownerUrl: string, serverUrl: string): Promise<void> {
  if (ownerUrl === serverUrl) return;
  await withClient(ownerUrl, (owner) =>
    withClient(serverUrl, (server) => requireSameDatabase(owner, server, 'DATABASE_URL and MIGRATION_DATABASE_URL')),
  );
}

/**
 * Grants the servers' role its privileges. Migrations create tables that the role does not own, so every command that
 * migrates calls this afterward. Neither URL may lead through a pooler.
 * @throws EnvironmentError if a database cannot be reached.
 */
export async function grantServer(ownerUrl: string, serverUrl: string, waiting: LockWait = {}): Promise<void> {
  await withClient(ownerUrl, (owner) =>
    withClient(serverUrl, async (server) => {
      const role = await currentRole(server);
      if ((await missingGrants(owner, role)).length === 0) return;
      // Concurrent grants on one table would conflict.
      await takeSessionLock(owner, MIGRATION_LOCKS.migrate, waiting);
      for (const grant of await missingGrants(owner, role))
        await owner.query(`${grant} TO ${pg.escapeIdentifier(role)}`);
    }),
  );
}

async function currentRole(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ role: string }>('SELECT current_user AS role');
  return rows[0]?.role ?? '';
}

const MIGRATES = `
  SELECT has_schema_privilege(current_schema(), 'CREATE') AND coalesce(
    (SELECT pg_has_role(relowner, 'USAGE') FROM pg_class WHERE oid = to_regclass('environment')), true) AS migrates`;

/** Returns whether the role of a connection may migrate the database. */
export async function mayMigrate(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ migrates: boolean | null }>(MIGRATES);
  return rows[0]?.migrates ?? false;
}

const RUN = 'Run npm run migrate first, with MIGRATION_DATABASE_URL set to a URL of the role that owns the database.';

/** @throws EnvironmentError that states what to do if the role of the connection lacks a privilege that a server needs. */
export async function requireGrants(client: pg.Client): Promise<void> {
  const role = await currentRole(client);
  if ((await missingGrants(client, role)).length > 0)
    throw new EnvironmentError(`The role ${role} lacks privileges that a server needs. ${RUN}`);
}

/**
 * Refuses other migrations than those of this version, for a server whose role may not migrate. `root` contains
 * `prisma`.
 * @throws EnvironmentError that states what to do.
 */
export async function requireMigrated(client: pg.Client, root: string): Promise<void> {
  const [first] = await pendingMigrations(client, root);
  if (!first) return;
  const role = await currentRole(client);
  throw new EnvironmentError(
    `The database lacks migrations of this version (the first is ${first}), and the role ${role} is not allowed to migrate it. ${RUN}`,
  );
}
