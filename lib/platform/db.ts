import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { env } from './env';
import { PrismaClient } from './generated/prisma/client';
import { log } from './log';
import { currentDatabaseUrl } from './postgres/current-url';
import { clientFor } from './postgres/hosts';
import { resetSingleton, singleton } from './singleton';
import { bind, type Statement } from './sql';
import { limits, takeOwnTurn } from './tenant-scope';
import { recorded } from './tracing/tracing';

/** Milliseconds. If no pool connection is available by then, the response is a 503 (contract B8). */
const CONNECT_TIMEOUT = 5_000;

/** The same settings are in `connect_query` of deploy/pgbouncer/pgbouncer.ini. */
export const SESSION_TIMEOUTS = {
  // Milliseconds, longer than any request may take.
  statement_timeout: 15_000,
  // Longer than the time after which PostgreSQL ends an idle transaction, so that the locks of a frozen process are
  // free before. Transactions with less time set less.
  lock_timeout: 12_000,
  // Otherwise, the locks of a frozen process would block other processes. No transaction here pauses this long.
  idle_in_transaction_session_timeout: 10_000,
} as const;

/**
 * Only this file uses the pool of `pg`, because its own methods do not respect `inTenant`. With DIRECT_DATABASE_URL, it
 * can lead through a pooler in transaction mode, so a transaction must leave no state on its connection, except
 * prepared statements.
 */
function pgPool(): pg.Pool {
  return singleton('pool', () => {
    const { DIRECT_DATABASE_URL, DATABASE_POOL } = env();
    const created = new pg.Pool({
      Client: clientFor(currentDatabaseUrl),
      max: DATABASE_POOL,
      // Statements are sent without waiting for earlier results. Each still has its own result or error.
      pipeline: true,
      connectionTimeoutMillis: CONNECT_TIMEOUT,
      idleTimeoutMillis: 30_000,
      // PgBouncer refuses a first packet with these settings. Its `connect_query` sets them instead.
      ...(DIRECT_DATABASE_URL ? {} : SESSION_TIMEOUTS),
      // The client must give up before `statement_timeout`. At that timeout, PostgreSQL reports success for a COMMIT
      // that is waiting for a synchronous standby, although only the primary has the change.
      query_timeout: 14_000,
      application_name: 'partner-booking',
    });
    // Without this listener, an error on an idle connection would end the process. The pool replaces the connection.
    created.on('error', (error) => log().warn({ err: error }, 'lost a database connection'));
    // The pool ignores errors of connections in use, and one between two statements would end the process. With this
    // listener, only the next statement fails.
    created.on('connect', (client) => client.on('error', () => {}));
    created.on('release', (_error, client) => {
      turnEnds().get(client)?.();
      turnEnds().delete(client);
    });
    return created;
  });
}

const turnEnds = () => singleton('turn-ends', () => new WeakMap<pg.PoolClient, () => void>());

export type Query = string | (pg.QueryConfig<unknown[]> & { rowMode?: 'array' });

export type Connections = {
  /** Within `inTenant`, the statement runs in a transaction that is limited to the tenant. */
  query: <Row extends pg.QueryResultRow = pg.QueryResult['rows'][number]>(
    query: Query,
    values?: unknown[],
  ) => Promise<pg.QueryResult<Row>>;
  /** The caller must release the connection. `inTenant` does not limit it: use `inTransaction` for transactions. */
  connect: () => Promise<pg.PoolClient>;
};

const CONNECTIONS: Connections = {
  query: (query, values) =>
    recorded(query, () => (limits() === null ? pgPool().query(query, values) : queryInTransaction([], query, values))),
  connect: async () => {
    const end = await takeOwnTurn();
    try {
      const client = await pgPool().connect();
      turnEnds().set(client, end);
      return client;
    } catch (error) {
      end();
      throw error;
    }
  },
};

/** Returns the connections for frequent queries and bulk writes. Prisma takes its own from the same pool. */
export function pool(): Connections {
  return CONNECTIONS;
}

/** Returns how many connections are open, how many of them are idle, and how many calls wait for one. */
export function connectionCounts(): { open: number; idle: number; waiting: number } {
  const { totalCount, idleCount, waitingCount } = pgPool();
  return { open: totalCount, idle: idleCount, waiting: waitingCount };
}

function opening(...further: string[]): string {
  return ['BEGIN', limits() ?? [], further].flat().join('; ');
}

/** Runs one statement with the limits of the call, in one round trip. `further` SQL must not contain user input. */
export async function queryInTransaction<Row extends pg.QueryResultRow>(
  further: string[],
  query: Query,
  values?: unknown[],
) {
  const client = await pool().connect();
  const sent = [client.query(opening(...further)), client.query<Row>(query, values), client.query('COMMIT')] as const;
  const [, , committed] = await Promise.allSettled(sent);
  // COMMIT ends the transaction of a failed statement, so the connection stays usable unless COMMIT failed.
  client.release(committed.status === 'rejected');
  const [, result] = await Promise.all(sent);
  return result;
}

/**
 * Runs `work` in one READ COMMITTED transaction with the limits of the current call (see `inTenant`). After an error,
 * closes the connection, so that PostgreSQL rolls back. `further`: see `queryInTransaction`.
 */
export async function inTransaction<T>(further: string[], work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool().connect();
  let broken = true;
  try {
    await client.query(opening(...further));
    const result = await work(client);
    await client.query('COMMIT');
    broken = false;
    return result;
  } finally {
    client.release(broken);
  }
}

/** Milliseconds (contract B8). */
const TRANSACTION_TIMEOUT = 8_000;

/** Returns the process's Prisma client. Messages in its default error format quote arguments, so it is minimal. */
export function db(): PrismaClient {
  // Prisma's defaults (2 s and 5 s) would end transactions that the contract still allows.
  const transactionOptions = { maxWait: CONNECT_TIMEOUT, timeout: TRANSACTION_TIMEOUT };
  return singleton(
    'prisma',
    () => new PrismaClient({ adapter: limitedAdapter(), errorFormat: 'minimal', transactionOptions }),
  );
}

type Adapter = Awaited<ReturnType<PrismaPg['connect']>>;
type Transaction = Awaited<ReturnType<Adapter['startTransaction']>>;
type PrismaQuery = Parameters<Adapter['queryRaw']>[0];
type Statements = Pick<Adapter, 'queryRaw' | 'executeRaw'>;

function limitedAdapter() {
  const factory = new PrismaPg(pgPool());
  const { adapterName } = factory;
  const provider = 'postgres' as const;
  const connect = async () => {
    const adapter = await factory.connect();
    return {
      provider,
      adapterName,
      queryRaw: (query: PrismaQuery) => runAlone(adapter, (on) => on.queryRaw(query)),
      executeRaw: (query: PrismaQuery) => runAlone(adapter, (on) => on.executeRaw(query)),
      startTransaction: (...isolation: Parameters<Adapter['startTransaction']>) => startTransaction(adapter, isolation),
      executeScript: (script: string) => adapter.executeScript(script),
      getConnectionInfo: () => adapter.getConnectionInfo(),
      dispose: () => adapter.dispose(),
    };
  };
  return { provider, adapterName, connect };
}

const recordedOn = (on: Statements): Statements => ({
  queryRaw: (query) => recorded({ text: query.sql }, () => on.queryRaw(query)),
  executeRaw: (query) => recorded({ text: query.sql }, () => on.executeRaw(query)),
});

const plain = (sql: string) => ({ sql, args: [], argTypes: [] });

async function runAlone<T>(adapter: Adapter, run: (on: Statements) => Promise<T>): Promise<T> {
  if (limits() === null) return run(recordedOn(adapter));
  const tx = await startTransaction(adapter, []);
  try {
    const result = await run(tx);
    await tx.executeRaw(plain('COMMIT'));
    await tx.commit();
    return result;
  } catch (error) {
    await undo(tx);
    throw error;
  }
}

async function startTransaction(
  adapter: Adapter,
  isolation: Parameters<Adapter['startTransaction']>,
): Promise<Transaction> {
  const end = await takeOwnTurn();
  const begun = await adapter.startTransaction(...isolation).catch((error: unknown) => {
    end();
    throw error;
  });
  const tx: Transaction = {
    provider: begun.provider,
    adapterName: begun.adapterName,
    options: begun.options,
    ...recordedOn(begun),
    commit: () => begun.commit().finally(end),
    rollback: () => begun.rollback().finally(end),
  };
  const limit = limits();
  if (limit === null) return tx;
  try {
    await tx.executeRaw(plain(limit));
    return tx;
  } catch (error) {
    await undo(tx);
    throw error;
  }
}

async function undo(tx: Transaction): Promise<void> {
  await tx.executeRaw(plain('ROLLBACK')).catch(() => undefined);
  await tx.rollback();
}

/** A Prisma client or an interactive transaction. */
export type Db = Omit<PrismaClient, '$connect' | '$disconnect' | '$on' | '$transaction' | '$extends'>;

/** Closes the Prisma client and the pool. The next calls of `db` and `pool` create new ones. */
export async function closeDb(): Promise<void> {
  const [client, connections] = [db(), pgPool()];
  for (const name of ['prisma', 'pool']) resetSingleton(name);
  await client.$disconnect();
  await connections.end();
}

/** Runs a statement in a transaction of Prisma, and returns its rows. */
export function readIn<Values extends object, Row>(
  tx: Pick<Db, '$queryRawUnsafe'>,
  statement: Statement<Values, Row>,
  values: NoInfer<Values>,
): Promise<Row[]> {
  const query = bind(statement, values);
  return tx.$queryRawUnsafe<Row[]>(query.text, ...(query.values ?? []));
}

/** Runs a statement on the pool and returns each row as an array, which is cheaper than objects for many rows. */
export async function readRows<Values extends object, Row>(
  statement: Statement<Values, Row>,
  values: NoInfer<Values>,
): Promise<Row[]> {
  const { rows } = await pool().query({ ...bind(statement, values), rowMode: 'array' });
  return rows as never[];
}
