import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { env } from './env';
import { PrismaClient } from './generated/prisma/client';
import { log } from './log';
import { resetSingleton, singleton } from './singleton';
import { bind, type Statement } from './sql';

/** Milliseconds to wait for a connection of the pool before a 503 (contract B8). */
const CONNECT_TIMEOUT = 5_000;

/**
 * Returns the process's connection pool. Hot paths and bulk writes use it directly; everything else uses Prisma, which
 * shares the pool.
 */
export function pool(): pg.Pool {
  return singleton('pool', () => {
    const { DATABASE_URL, DATABASE_POOL } = env();
    const created = new pg.Pool({
      connectionString: DATABASE_URL,
      max: DATABASE_POOL,
      // Sends a statement without waiting for the answers to earlier ones on the same connection. Each is still answered,
      // and fails, on its own.
      pipeline: true,
      connectionTimeoutMillis: CONNECT_TIMEOUT,
      idleTimeoutMillis: 30_000,
      // Longer than any request may take.
      statement_timeout: 15_000,
      // The client-side limit, for responses lost in the network.
      query_timeout: 20_000,
      // A process that stalls within a transaction (frozen, swapped out) must not block others with its locks. No
      // transaction computes this long between two statements, imports included.
      idle_in_transaction_session_timeout: 10_000,
      application_name: 'partner-booking',
    });
    // A broken idle connection (PostgreSQL restarted) must not end the process; the pool replaces it.
    created.on('error', (error) => log().warn({ err: error }, 'lost a database connection'));
    // The pool has no error listener on a connection that is checked out. If the connection breaks between two
    // statements, the next statement fails; without this listener, the error event would end the process.
    created.on('connect', (client) => client.on('error', () => {}));
    return created;
  });
}

/** Milliseconds that a transaction of Prisma may take (contract B8). */
const TRANSACTION_TIMEOUT = 8_000;

/** Returns the process's Prisma client. Its error format is minimal because the default quotes query arguments. */
export function db(): PrismaClient {
  return singleton('prisma', () => {
    const adapter = new PrismaPg(pool());
    // The defaults, 2 s and 5 s, would refuse requests that the contract lets wait.
    const transactionOptions = { maxWait: CONNECT_TIMEOUT, timeout: TRANSACTION_TIMEOUT };
    return new PrismaClient({ adapter, errorFormat: 'minimal', transactionOptions });
  });
}

/** A Prisma client or an interactive transaction. */
export type Db = Omit<PrismaClient, '$connect' | '$disconnect' | '$on' | '$transaction' | '$extends'>;

/** Closes the pool; the next call of `pool` or `db` creates a new one. */
export async function closeDb(): Promise<void> {
  const [client, connections] = [db(), pool()];
  for (const name of ['prisma', 'pool']) resetSingleton(name);
  await client.$disconnect();
  await connections.end();
}

/** Runs a statement on the pool and returns each row as an array: cheaper for many rows. */
export async function readRows<Values extends object, Row>(
  statement: Statement<Values, Row>,
  values: NoInfer<Values>,
): Promise<Row[]> {
  const { rows } = await pool().query({ ...bind(statement, values), rowMode: 'array' });
  return rows as never[];
}
