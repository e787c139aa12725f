import { createHmac } from 'node:crypto';
import pg from 'pg';

/** Only tests, tools, and the code that starts the embedded server use it. */
export const SUPERUSER = 'partner_booking';

/** Owns and migrates the database, and creates the scratch database of a drill, but is no superuser. */
export const OWNER = 'partner_booking_app';

/** The role of the servers. It owns nothing, and gets its privileges after every migration (`grantServer`). */
export const SERVER = 'partner_booking_server';

export const DATABASE = 'partner_booking';

/** Returns the password of `OWNER` or `SERVER`. It does not reveal the superuser's, from which it is derived. */
export function rolePassword(superuserPassword: string, role: string): string {
  return createHmac('sha256', superuserPassword).update(role).digest('base64url');
}

/** Returns the SQL that lets only `OWNER` and `SERVER` connect to a database, and only `OWNER` change it. */
export function accessTo(database: string): string {
  return `REVOKE ALL ON DATABASE ${database} FROM PUBLIC; GRANT CONNECT ON DATABASE ${database} TO ${SERVER}`;
}

/** Creates the roles and the database of an embedded server if they do not exist. */
export async function ensureDatabase({ port, password }: { port: number; password: string }): Promise<void> {
  const client = new pg.Client({ host: '127.0.0.1', port, user: SUPERUSER, password, database: 'postgres' });
  try {
    await client.connect();
    for (const role of [OWNER, SERVER]) {
      const { rowCount } = await client.query('SELECT FROM pg_roles WHERE rolname = $1', [role]);
      const ofRole = pg.escapeLiteral(rolePassword(password, role));
      if (rowCount === 0) await client.query(`CREATE ROLE ${role} LOGIN PASSWORD ${ofRole}`);
    }
    // At every start, because 0.1.0 created the role without this right.
    await client.query(`ALTER ROLE ${OWNER} CREATEDB`);
    const databases = await client.query('SELECT FROM pg_database WHERE datname = $1', [DATABASE]);
    if (databases.rowCount === 0) await client.query(`CREATE DATABASE ${DATABASE} OWNER ${OWNER}`);
    await client.query(accessTo(DATABASE));
  } finally {
    await client.end().catch(() => {});
  }
}
