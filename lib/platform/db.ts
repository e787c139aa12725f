import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { env } from './env';
import { PrismaClient } from './generated/prisma/client';
import { log } from './log';
import { currentDatabaseUrl } from './postgres/current-url';
import { clientFor } from './postgres/hosts';
import { resetSingleton, singleton } from './singleton';
import { bind, type Statement } from './sql';
import { scopeStatements } from './tenant-scope';
import { takeConnectionsInTurn } from './tenant-turns';
import { traceStatements } from './tracing/tracing';

/**
 * Maximum milliseconds to wait for a pool connection. If no connection is available by then, the response is a 503
 * (contract B8).
 */
const CONNECT_TIMEOUT = 5_000;

/** Settings of the pool's connections. The same settings are in `connect_query` of deploy/pgbouncer/pgbouncer.ini. */
export const SESSION_TIMEOUTS = {
  // PostgreSQL cancels a statement after this many milliseconds, which is longer than any request may take.
  statement_timeout: 15_000,
  // PostgreSQL closes a connection whose open transaction receives no statement for this many milliseconds. Otherwise,
  // the locks of a frozen process would block other processes. No transaction here pauses this long.
  idle_in_transaction_session_timeout: 10_000,
} as const;

/**
 * Returns the process's connection pool. Frequent queries and bulk writes use the pool directly. All other queries use
 * Prisma, which takes its connections from this pool. If DIRECT_DATABASE_URL is set, the connections can lead through a
 * pooler in transaction mode. A transaction must therefore leave no state on its connection, except prepared
 * statements.
 */
export function pool(): pg.Pool {
  return singleton('pool', () => {
    const { DIRECT_DATABASE_URL, DATABASE_POOL } = env();
    const created = new pg.Pool({
      Client: clientFor(currentDatabaseUrl),
      max: DATABASE_POOL,
      // A statement is sent without waiting for the results of earlier statements. Each statement still has a separate
      // result or error.
      pipeline: true,
      connectionTimeoutMillis: CONNECT_TIMEOUT,
      idleTimeoutMillis: 30_000,
      // PgBouncer refuses a connection whose first packet contains these settings. `connect_query` in PgBouncer's
      // configuration sets them instead.
      ...(DIRECT_DATABASE_URL ? {} : SESSION_TIMEOUTS),
      // The client stops waiting for a result after this many milliseconds. It must give up before `statement_timeout`.
      // At that timeout, PostgreSQL reports success for a COMMIT that is waiting for a synchronous standby, although
      // only the primary has the change.
      query_timeout: 14_000,
      application_name: 'partner-booking',
    });
    takeConnectionsInTurn(created);
    return withListeners(created);
  });
}

/** Adds error listeners and tracing to a pool, makes it respect `inTenant` (see `scopeStatements`), and returns it. */
function withListeners(created: pg.Pool): pg.Pool {
  scopeStatements(created);
  // Without this listener, an error on an idle connection would end the process, for example when PostgreSQL restarts.
  // The pool replaces the connection.
  created.on('error', (error) => log().warn({ err: error }, 'lost a database connection'));
  // The pool does not listen for errors on connections that are in use. Without this listener, an error between two
  // statements would end the process. With it, only the next statement fails.
  created.on('connect', (client) => {
    client.on('error', () => {});
    traceStatements(client);
  });
  traceStatements(created);
  return created;
}

/** Maximum duration of a Prisma transaction in milliseconds (contract B8). */
const TRANSACTION_TIMEOUT = 8_000;

/** Returns the process's Prisma client. */
export function db(): PrismaClient {
  return singleton('prisma', () => prismaOn(pool()));
}

/**
 * Creates a Prisma client on a pool. It uses the minimal error format, because messages in the default format quote
 * query arguments, which may contain personal data.
 */
function prismaOn(connections: pg.Pool): PrismaClient {
  const adapter = new PrismaPg(connections);
  // Prisma's defaults (2 s for `maxWait` and 5 s for `timeout`) would end transactions that the contract still allows.
  const transactionOptions = { maxWait: CONNECT_TIMEOUT, timeout: TRANSACTION_TIMEOUT };
  return new PrismaClient({ adapter, errorFormat: 'minimal', transactionOptions });
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

/** Runs a statement on the pool and returns each row as an array, which is cheaper than objects for many rows. */
export async function readRows<Values extends object, Row>(
  statement: Statement<Values, Row>,
  values: NoInfer<Values>,
): Promise<Row[]> {
  const { rows } = await pool().query({ ...bind(statement, values), rowMode: 'array' });
  return rows as never[];
}
