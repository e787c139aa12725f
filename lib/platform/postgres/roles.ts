import { createHmac } from 'node:crypto';
import pg from 'pg';

/** The superuser of the embedded server. Only starts use it. */
export const SUPERUSER = 'partner_booking';

/** The role of the application. It owns the application's database, but is no superuser. */
export const APPLICATION = 'partner_booking_app';

/** The database that the application uses. */
export const DATABASE = 'partner_booking';

/**
 * Returns the password of the application's role. It is derived from the superuser's password, which it does not
 * reveal.
 */
export function applicationPassword(superuserPassword: string): string {
  return createHmac('sha256', superuserPassword).update(APPLICATION).digest('base64url');
}

/**
 * SQL that makes the application's role the owner of the current database and of everything in it, except for
 * the members of extensions. Earlier versions ran as the superuser, who therefore owns the objects of their databases.
 * REASSIGN OWNED does not work for this superuser, because it also owns the system's own objects.
 */
const HAND_OVER = `
  DO $$
  DECLARE command text;
  BEGIN
    FOR command IN
      WITH owned AS (
        SELECT 'TABLE' AS kind, oid, oid::regclass::text AS name FROM pg_class
        WHERE relkind IN ('r', 'p', 'v', 'm') AND relnamespace = 'public'::regnamespace AND relowner = current_user::regrole
        UNION ALL
        SELECT 'SEQUENCE', oid, oid::regclass::text FROM pg_class
        WHERE relkind = 'S' AND relnamespace = 'public'::regnamespace AND relowner = current_user::regrole
          AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_class.oid AND deptype IN ('a', 'i'))
        UNION ALL
        SELECT 'TYPE', oid, oid::regtype::text FROM pg_type
        WHERE typtype IN ('e', 'd') AND typnamespace = 'public'::regnamespace AND typowner = current_user::regrole
        UNION ALL
        SELECT 'ROUTINE', oid, oid::regprocedure::text FROM pg_proc
        WHERE pronamespace = 'public'::regnamespace AND proowner = current_user::regrole)
      SELECT format('ALTER %s %s OWNER TO ${APPLICATION}', kind, name) FROM owned
      WHERE NOT EXISTS (SELECT FROM pg_depend WHERE objid = owned.oid AND deptype = 'e')
    LOOP
      EXECUTE command;
    END LOOP;
  END $$;
  ALTER DATABASE ${DATABASE} OWNER TO ${APPLICATION}`;

type Server = { port: number; password: string };

async function asSuperuser(
  { port, password }: Server,
  database: string,
  work: (client: pg.Client) => Promise<unknown>,
) {
  const client = new pg.Client({ host: '127.0.0.1', port, user: SUPERUSER, password, database });
  try {
    await client.connect();
    await work(client);
  } finally {
    await client.end().catch(() => {});
  }
}

/**
 * Creates the application's role and database if they do not exist, and hands over the objects that an earlier version
 * created. Each start runs it, because an earlier version may have been started in between.
 */
export async function ensureDatabase(server: Server): Promise<void> {
  await asSuperuser(server, 'postgres', async (client) => {
    const roles = await client.query('SELECT FROM pg_roles WHERE rolname = $1', [APPLICATION]);
    if (roles.rowCount === 0) {
      const password = pg.escapeLiteral(applicationPassword(server.password));
      await client.query(`CREATE ROLE ${APPLICATION} LOGIN PASSWORD ${password}`);
    }
    const databases = await client.query('SELECT FROM pg_database WHERE datname = $1', [DATABASE]);
    if (databases.rowCount === 0) await client.query(`CREATE DATABASE ${DATABASE} OWNER ${APPLICATION}`);
  });
  // Several statements in one query are one transaction.
  await asSuperuser(server, DATABASE, (client) => client.query(HAND_OVER));
}
