import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { env } from './env';
import { PrismaClient } from './generated/prisma/client';
import { log } from './log';
import { resetSingleton, singleton } from './singleton';
import { bind, type Statement } from './sql';

/** Milliseconds to wait for a connection of the pool. After that, the response is a 503 (contract B8). */
const CONNECT_TIMEOUT = 5_000;

/**
 * Returns the process's connection pool. Frequent queries and bulk writes use it directly. All other queries use
 * Prisma, which shares the pool.
 */
export function pool(): pg.Pool {
  return singleton('pool', () => {
    const { DATABASE_URL, DATABASE_POOL } = env();
    const created = new pg.Pool({
      connectionString: DATABASE_URL,
      max: DATABASE_POOL,
      // Sends a statement before earlier statements on the same connection have been answered. Each statement still has
      // its own result or error.
      pipeline: true,
      connectionTimeoutMillis: CONNECT_TIMEOUT,
      idleTimeoutMillis: 30_000,
      // Milliseconds. No request may take this long.
      statement_timeout: 15_000,
      // Milliseconds until the client stops waiting, in case the network loses the response of PostgreSQL.
      query_timeout: 20_000,
      // If a process is frozen or swapped out during a transaction, its locks must not block other processes. No
      // transaction of this project, not even an import, needs this long between two statements.
      idle_in_transaction_session_timeout: 10_000,
      application_name: 'partner-booking',
    });
    // Without this listener, an error of an idle connection, for example when PostgreSQL restarts, would end the
    // process. The pool replaces the connection.
    created.on('error', (error) => log().warn({ err: error }, 'lost a database connection'));
    // The pool has no error listener on a connection that is in use. If such a connection breaks between two
    // statements, the next statement fails. Without this listener, the error event would end the process.
    created.on('connect', (client) => client.on('error', () => {}));
    return created;
  });
}

/** Maximum milliseconds of a Prisma transaction (contract B8). */
const TRANSACTION_TIMEOUT = 8_000;

/**
 * Returns the process's Prisma client. It uses the minimal error format, because the default format quotes query
 * arguments.
 */
export function db(): PrismaClient {
  return singleton('prisma', () => {
    const adapter = new PrismaPg(pool());
    // Prisma's defaults, 2 s and 5 s, are shorter than the waits that the contract allows.
    const transactionOptions = { maxWait: CONNECT_TIMEOUT, timeout: TRANSACTION_TIMEOUT };
    return new PrismaClient({ adapter, errorFormat: 'minimal', transactionOptions });
  });
}

/** A Prisma client or an interactive transaction. */
export type Db = Omit<PrismaClient, '$connect' | '$disconnect' | '$on' | '$transaction' | '$extends'>;

/** Closes the pool. The next call of `pool` or `db` creates a new one. */
export async function closeDb(): Promise<void> {
  const [client, connections] = [db(), pool()];
  for (const name of ['prisma', 'pool']) resetSingleton(name);
  await client.$disconnect();
  await connections.end();
}

/**
 * Runs a statement on the pool and returns each row as an array, which is cheaper than objects if there are many rows.
 */
export async function readRows<Values extends object, Row>(
  statement: Statement<Values, Row>,
  values: NoInfer<Values>,
): Promise<Row[]> {
  const { rows } = await pool().query({ ...bind(statement, values), rowMode: 'array' });
  return rows as never[];
}
