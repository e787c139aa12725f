import { createHmac } from 'node:crypto';
import pg from 'pg';

/** Only tests, tools, and the code that starts the embedded server use it. */
export const SUPERUSER = 'partner_booking';

/**
 * Owns and migrates the database, and creates the scratch database of a drill, but is no superuser. Earlier versions
 * also ran the servers with this role.
 */
export const OWNER = 'partner_booking_app';

/** The role of the servers. It owns nothing, and gets its privileges after every migration (`grantServer`). */
export const SERVER = 'partner_booking_server';

export const DATABASE = 'partner_booking';

/** Returns the password of `OWNER` or `SERVER`. It does not reveal the superuser's, from which it is derived. */
export function rolePassword(superuserPassword: string, role: string): string {
  return createHmac('sha256', superuserPassword).update(role).digest('base64url');
}

/**
 * Gives `OWNER` the objects that earlier versions created as the superuser, except those of extensions. REASSIGN OWNED
 * would fail, because the superuser also owns PostgreSQL's own objects.
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
      SELECT format('ALTER %s %s OWNER TO ${OWNER}', kind, name) FROM owned
      WHERE NOT EXISTS (SELECT FROM pg_depend WHERE objid = owned.oid AND deptype = 'e')
    LOOP
      EXECUTE command;
    END LOOP;
  END $$;
  ALTER DATABASE ${DATABASE} OWNER TO ${OWNER}`;

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

/** Returns the SQL that lets only `OWNER` and `SERVER` connect to a database, and only `OWNER` change it. */
export function accessTo(database: string): string {
  return `REVOKE ALL ON DATABASE ${database} FROM PUBLIC; GRANT CONNECT ON DATABASE ${database} TO ${SERVER}`;
}

/**
 * Creates the roles and the database if they do not exist, and hands over the objects of an earlier version. At every
 * start, because the operator may have returned to an earlier version for a while.
 */
export async function ensureDatabase(server: Server): Promise<void> {
  await asSuperuser(server, 'postgres', async (client) => {
    for (const role of [OWNER, SERVER]) {
      const { rowCount } = await client.query('SELECT FROM pg_roles WHERE rolname = $1', [role]);
      const password = pg.escapeLiteral(rolePassword(server.password, role));
      if (rowCount === 0) await client.query(`CREATE ROLE ${role} LOGIN PASSWORD ${password}`);
    }
    // At every start, because earlier versions created the role without this right.
    await client.query(`ALTER ROLE ${OWNER} CREATEDB`);
    const databases = await client.query('SELECT FROM pg_database WHERE datname = $1', [DATABASE]);
    if (databases.rowCount === 0) await client.query(`CREATE DATABASE ${DATABASE} OWNER ${OWNER}`);
  });
  // PostgreSQL runs several statements in one query as one transaction.
  await asSuperuser(server, DATABASE, (client) => client.query(`${HAND_OVER}; ${accessTo(DATABASE)}`));
}
