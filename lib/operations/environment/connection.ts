import pg from 'pg';

/** Thrown when this start must not go on; the message is one sentence for the person who starts it, without secrets. */
export class EnvironmentError extends Error {}

/** Milliseconds to wait for the database to answer at all. */
const CONNECT_TIMEOUT = 10_000;

/**
 * Runs `work` on a connection of its own: a start needs one before there are settings or a pool.
 * @throws EnvironmentError when the database cannot be reached.
 */
export async function withClient<T>(databaseUrl: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: CONNECT_TIMEOUT });
  // A connection that breaks while idle is reported by the next query; unheard, it would end the process.
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

// A refused connection to a name with several addresses carries its reason in the code alone.
function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason';
}
