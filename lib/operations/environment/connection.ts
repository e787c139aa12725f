import pg from 'pg';

/** Aborts a start. The message is one sentence for the administrator, without secrets. */
export class EnvironmentError extends Error {}

/** Milliseconds to wait for a connection. */
const CONNECT_TIMEOUT = 10_000;

/**
 * Runs `work` on a dedicated connection; during a start, settings and the pool are not available yet.
 * @throws EnvironmentError if the database cannot be reached.
 */
export async function withClient<T>(databaseUrl: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: CONNECT_TIMEOUT });
  // If the connection breaks while idle, the next query fails; without a listener, the error would end the process.
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

// If a host name has several addresses, the error of a refused connection has a code but no message.
function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason';
}
