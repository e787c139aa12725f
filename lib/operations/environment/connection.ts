import type pg from 'pg';
import { clientFor } from '@/lib/platform/postgres/hosts';

/** Aborts a start or a command. The message is for the operator and contains no secrets. */
export class EnvironmentError extends Error {}

const CONNECT_TIMEOUT = 10_000;

/**
 * Runs `work` on a separate connection, because the pool is not available yet.
 * @throws EnvironmentError if the database cannot be reached.
 */
export async function withClient<T>(
  databaseUrl: string,
  work: (client: pg.Client) => Promise<T>,
  config: pg.ClientConfig = {},
): Promise<T> {
  const client = await connect(databaseUrl, config).catch((error: unknown) => {
    const reason = error instanceof Error && error.message ? error.message : codeOf(error);
    throw new EnvironmentError(`The database cannot be reached: ${reason}.`, { cause: error });
  });
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function connect(databaseUrl: string, config: pg.ClientConfig): Promise<pg.Client> {
  const Client = clientFor(() => databaseUrl);
  const client = new Client({ connectionTimeoutMillis: CONNECT_TIMEOUT, ...config });
  // Without a listener, an error on an idle connection would end the process.
  client.on('error', () => {});
  await client.connect();
  return client;
}

/** Of Node, PostgreSQL, and Prisma: closed, not opened, or not available in time. */
const LOST = /^(?:ECONNREFUSED|ECONNRESET|EPIPE|08\w{3}|57P0[1-3]|P100[128]|P1017|P2024)$/;

/** For errors whose code is not in `LOST`. */
const LOST_MESSAGE = /Connection terminated|57P0[1-3]|timeout exceeded when trying to connect/;

/** Returns an error for the operator if a lost connection caused `error`. Otherwise, returns `error`. */
export async function explainLostConnection(databaseUrl: string, error: unknown): Promise<unknown> {
  if (error instanceof EnvironmentError) return error;
  try {
    // After a database has stopped, queries fail with many different errors. A new connection shows its state.
    await withClient(databaseUrl, (client) => client.query('SELECT 1'));
  } catch (unreachable) {
    return unreachable;
  }
  return isLostConnection(error)
    ? new EnvironmentError('The database closed a connection. Run the command again.')
    : error;
}

/** Returns whether an error or its cause states that a database connection was lost or could not be opened. */
export function isLostConnection(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return LOST.test(codeOf(error)) || LOST_MESSAGE.test(error.message) || isLostConnection(error.cause);
}

// If all addresses of a host refuse the connection, the error has a code but no message.
function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason';
}

/** SQLSTATEs for no privilege, a read-only database, a missing schema, or a lack of resources. */
const RESOLVABLE = /^(?:42501|25006|3F000|53\w{3})$/;

/** Returns one sentence about a database error (or cause) that the operator can resolve, or null. */
export function describeRefusal(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  if (RESOLVABLE.test(codeOf(error))) return `The database refused a statement: ${error.message}.`;
  const { meta } = error as {
    meta?: { driverAdapterError?: { cause?: { originalCode?: string; originalMessage?: string } } };
  };
  const { originalCode = '', originalMessage = '' } = meta?.driverAdapterError?.cause ?? {};
  if (RESOLVABLE.test(originalCode)) return `The database refused a statement: ${originalMessage}.`;
  return describeRefusal(error.cause);
}
