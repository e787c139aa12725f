import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { env } from './env';
import { PrismaClient } from './generated/prisma/client';
import { log } from './log';
import { forget, singleton } from './singleton';

/** Milliseconds to wait for a connection of the pool; longer is a 503 (contract B8). */
const CONNECT_TIMEOUT = 5_000;

/**
 * Returns the process's connection pool. Hot paths and bulk writes use it directly; everything else goes through
 * Prisma, which shares it.
 */
export function pool(): pg.Pool {
  return singleton('pool', () => {
    const { DATABASE_URL, DATABASE_POOL } = env();
    const created = new pg.Pool({
      connectionString: DATABASE_URL,
      max: DATABASE_POOL,
      connectionTimeoutMillis: CONNECT_TIMEOUT,
      idleTimeoutMillis: 30_000,
      // A statement that runs longer than any answer may take is of no use to anybody.
      statement_timeout: 15_000,
      // And one that PostgreSQL never answers is given up too: the network may swallow what it says.
      query_timeout: 20_000,
      // A process that stops in the middle of a transaction (frozen, swapped out) must not hold its locks over all
      // others: PostgreSQL ends it. None of ours computes that long between two statements, an import included.
      idle_in_transaction_session_timeout: 10_000,
      application_name: 'partner-booking',
    });
    // An idle connection that breaks (PostgreSQL restarted) must not end the process; the pool replaces it.
    created.on('error', (error) => log().warn({ err: error }, 'a database connection was lost'));
    // While a connection is in somebody's hands but idle, as between two statements, the pool does not listen: what
    // breaks it then is told to whoever uses it next, and must not be an error that nobody caught.
    created.on('connect', (client) => client.on('error', () => {}));
    return created;
  });
}

/** Returns the process's Prisma client. Its errors are brief: the long form quotes the values of a call. */
export function db(): PrismaClient {
  return singleton('prisma', () => new PrismaClient({ adapter: new PrismaPg(pool()), errorFormat: 'minimal' }));
}

/** A Prisma client or the transaction that a caller is in. */
export type Db = Omit<PrismaClient, '$connect' | '$disconnect' | '$on' | '$transaction' | '$extends'>;

/** Ends the pool; who asks for it afterwards gets a new one. */
export async function closeDb(): Promise<void> {
  const [client, connections] = [db(), pool()];
  for (const name of ['prisma', 'pool']) forget(name);
  await client.$disconnect();
  await connections.end();
}

/** Runs a statement on the pool and returns each row as a list: cheaper where many rows are read. */
export async function readRows(
  statement: { name: string; text: string; rowMode: 'array' },
  values: unknown[],
): Promise<unknown[][]> {
  const { rows } = await pool().query({ ...statement, values });
  return rows;
}
