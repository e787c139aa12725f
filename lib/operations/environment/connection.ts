import pg from 'pg';

/**
 * An error that aborts the start of a process. Its message is written for the administrator and contains no secrets.
 */
export class EnvironmentError extends Error {}

/** Timeout in milliseconds for connecting to the database. */
const CONNECT_TIMEOUT = 10_000;

/**
 * Runs `work` on a separate database connection. The connection pool is not available yet when a process starts.
 * @throws EnvironmentError if the database cannot be reached.
 */
export async function withClient<T>(databaseUrl: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: CONNECT_TIMEOUT });
  // If the connection breaks while it is idle, the client emits an error. Without a listener, this error would end the
  // process. With this empty listener, only the next query fails.
  client.on('error', () => {});
  try {
    await client.connect();
  } catch (error) {
    const reason = error instanceof Error && error.message ? error.message : codeOf(error);
    throw new EnvironmentError(`The database cannot be reached: ${reason}.`, { cause: error });
  }
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Codes of Node, PostgreSQL, and Prisma for a connection that was closed or cannot be opened. */
const LOST = /^(?:ECONNREFUSED|ECONNRESET|EPIPE|08\w{3}|57P0[1-3]|P1001|P1017)$/;

/**
 * Returns the error for the administrator if `error` was caused by a lost connection to the database. Otherwise,
 * returns `error`.
 */
export async function explainLostConnection(databaseUrl: string, error: unknown): Promise<unknown> {
  if (error instanceof EnvironmentError) return error;
  try {
    // After a database has stopped, queries can fail with many different errors. A new connection is opened to find out
    // whether the database can be reached.
    await withClient(databaseUrl, (client) => client.query('SELECT 1'));
  } catch (unreachable) {
    return unreachable;
  }
  return isLostConnection(error)
    ? new EnvironmentError('The database closed a connection. Run the command again.')
    : error;
}

function isLostConnection(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return (
    LOST.test(codeOf(error)) || /Connection terminated|57P0[1-3]/.test(error.message) || isLostConnection(error.cause)
  );
}

// If a host name has several addresses and all of them refuse the connection, the error has a code but no message.
function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason';
}
