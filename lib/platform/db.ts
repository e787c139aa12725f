import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { env } from './env';
import { PrismaClient } from './generated/prisma/client';
import { log } from './log';
import { currentDatabaseUrl } from './postgres/current-url';
import { clientFor } from './postgres/hosts';
import { resetSingleton, singleton } from './singleton';
import { bind, type Statement } from './sql';

/**
 * Maximum milliseconds to wait for a pool connection. If no connection is available by then, the response is a 503
 * (contract B8).
 */
const CONNECT_TIMEOUT = 5_000;

/** Settings of the pool's connections. The same settings are in `connect_query` of deploy/pgbouncer/pgbouncer.ini. */
export const SESSION_TIMEOUTS = {
  // PostgreSQL cancels a statement after this many milliseconds, which is longer than any request may take.
  statement_timeout: 15_000,
  // PostgreSQL closes a connection whose open transaction receives no statement for this many milliseconds. Without
  // this limit, if a process froze during a transaction, the transaction's locks would block other processes. No
  // transaction in this project pauses this long between two statements.
  idle_in_transaction_session_timeout: 10_000,
} as const;

/**
 * Returns the process's connection pool. Frequent queries and bulk writes use the pool directly. All other queries use
 * Prisma, which takes its connections from the same pool. If DIRECT_DATABASE_URL is set, the pool's connections may
 * lead through a pooler in transaction mode. Except for prepared statements, no state of a connection, such as a lock,
 * may then last longer than a transaction.
 */
export function pool(): pg.Pool {
  return singleton('pool', () => {
    const { DIRECT_DATABASE_URL, DATABASE_POOL } = env();
    const created = new pg.Pool({
      Client: clientFor(currentDatabaseUrl),
      max: DATABASE_POOL,
      // The client sends a statement without waiting for the results of earlier statements on the same connection. Each
      // statement still has its own result or error.
      pipeline: true,
      connectionTimeoutMillis: CONNECT_TIMEOUT,
      idleTimeoutMillis: 30_000,
      // A pooler refuses a connection whose first packet contains these settings. `connect_query` sets them instead.
      ...(DIRECT_DATABASE_URL ? {} : SESSION_TIMEOUTS),
      // The client stops waiting for a result after this many milliseconds, in case the network loses PostgreSQL's
      // response.
      query_timeout: 20_000,
      application_name: 'partner-booking',
    });
    // Without this listener, an error on an idle connection would end the process, for example when PostgreSQL
    // restarts. The pool replaces the connection.
    created.on('error', (error) => log().warn({ err: error }, 'lost a database connection'));
    // The pool does not listen for errors on connections that are in use. Without this listener, an error between two
    // statements would end the process. With it, only the next statement fails.
    created.on('connect', (client) => client.on('error', () => {}));
    return created;
  });
}

/** Maximum duration of a Prisma transaction in milliseconds (contract B8). */
const TRANSACTION_TIMEOUT = 8_000;

/**
 * Returns the process's Prisma client. It uses the minimal error format, because messages in the default format quote
 * query arguments, which may contain personal data.
 */
export function db(): PrismaClient {
  return singleton('prisma', () => {
    const adapter = new PrismaPg(pool());
    // Prisma's defaults are 2 s for `maxWait` and 5 s for `timeout`. Both are shorter than the contract allows.
    const transactionOptions = { maxWait: CONNECT_TIMEOUT, timeout: TRANSACTION_TIMEOUT };
    return new PrismaClient({ adapter, errorFormat: 'minimal', transactionOptions });
  });
}

/** A Prisma client or an interactive transaction. */
export type Db = Omit<PrismaClient, '$connect' | '$disconnect' | '$on' | '$transaction' | '$extends'>;

/** Closes the Prisma client and the pool. The next calls to `db` and `pool` create new ones. */
export async function closeDb(): Promise<void> {
  const [client, connections] = [db(), pool()];
  for (const name of ['prisma', 'pool']) resetSingleton(name);
  await client.$disconnect();
  await connections.end();
}

/**
 * Runs a statement on the pool and returns each row as an array. For many rows, arrays take less time and memory than
 * objects.
 */
export async function readRows<Values extends object, Row>(
  statement: Statement<Values, Row>,
  values: NoInfer<Values>,
): Promise<Row[]> {
  const { rows } = await pool().query({ ...bind(statement, values), rowMode: 'array' });
  return rows as never[];
}
