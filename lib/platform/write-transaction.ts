import type pg from 'pg';
import { AppError } from '@/lib/contract/errors/app-error';
import { pool, type Query } from './db';
import { env } from './env';
import { exclusiveTenantLock, sharedTenantLock } from './locks';
import { OTHER_RULES, refusedByRules } from './rules-in-force';
import { singleton } from './singleton';
import { bind, type Statement } from './sql';
import { limitTo, outsideScopes, takeOwnTurn } from './tenant-scope';
import { recorded } from './tracing/tracing';
import { createTurns, type Turns } from './turns';

/** Milliseconds for which one request may wait for locks, concurrent duplicates, and a connection (contract B8). */
const MAX_WAIT = 5_000;
/** Milliseconds of one write (contract B8). */
const MAX_TIME = 8_000;
const MAX_TRIES = 3;
/** Milliseconds. A faster statement is assumed not to have waited for a lock. */
const NEGLIGIBLE_WAIT = 100;

/** With this SQLSTATE, `require_change` fails a statement of `commitWith` whose seat a concurrent write has taken. */
const SEAT_TAKEN = 'PBS01';
/** Serialization failure, deadlock, and a taken seat. */
const RETRYABLE = new Set(['40001', '40P01', SEAT_TAKEN]);
/** lock_not_available and query_canceled. */
const TIMED_OUT = new Set(['55P03', '57014']);

/** Unit and origin of `performance.now()`. They stay the same for all runs of the transaction. */
export type Budget = { waitUntil: number; endAt: number; client?: string };

/** Returns the deadlines of a write that has taken `spent` milliseconds (contract B8). Clients take turns. */
export function beginBudget(spent = 0, client?: string): Budget {
  const begun = performance.now() - spent;
  return { waitUntil: begun + MAX_WAIT, endAt: begun + MAX_TIME, client };
}

function tooLong(cause?: unknown): AppError {
  return new AppError('service_unavailable', { cause });
}

/** Statements do not wait for earlier results. Each has its own snapshot. After a failure, all later ones fail. */
export type WriteTx = {
  query: <Values extends object, Row>(statement: Statement<Values, Row>, values: NoInfer<Values>) => Promise<Row[]>;
  /** For many rows, arrays take less time and memory than objects. */
  queryArrays: <Values extends object, Row>(
    statement: Statement<Values, Row>,
    values: NoInfer<Values>,
  ) => Promise<Row[]>;
  /** Runs SQL without parameters in one round trip. */
  run: (sql: string) => Promise<void>;
  /**
   * Sends the last statement and COMMIT in one round trip. A statement that cannot make its change must fail with
   * `SEAT_TAKEN`, so that `retryConflicts` runs the transaction again.
   */
  commitWith: <Values extends object>(statement: Statement<Values, unknown>, values: NoInfer<Values>) => Promise<void>;
};

/** The caller must call `end`, even after an error. */
type OpenTransaction = WriteTx & {
  /** Resolves when the transaction holds its advisory lock. */
  begun: Promise<void>;
  /** Does nothing after `commitWith`. @throws Error if PostgreSQL rolled back, because an earlier statement failed. */
  commit: () => Promise<void>;
  /** Rolls back unless committed. Never throws. */
  end: () => Promise<void>;
};

/**
 * Begins a READ COMMITTED transaction of a tenant with its lock, its limit, and the timeouts of the budget, in one
 * round trip. Statements may be sent before `begun` resolves. The caller must always call `end`.
 * @throws AppError service_unavailable if no connection is available within the budget.
 */
export async function beginTransaction(
  budget: Budget,
  tenantId: string,
  lock = sharedTenantLock,
): Promise<OpenTransaction> {
  const connection = await connect(budget, tenantId);
  const tx = transactionOn(connection, budget);
  const parts = [limitTo(tenantId), timeouts(budget), lock(tenantId), remainingWait(budget)];
  const opening = `BEGIN; ${parts.join('; ')}`;
  return { ...tx, begun: tx.run(opening) };
}

/** Runs `attempt`, one transaction, up to `MAX_TRIES` times, with its number. @throws AppError service_unavailable. */
export async function retryConflicts<T>(budget: Budget, attempt: (run: number) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt(tries);
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : '';
      if (TIMED_OUT.has(code)) throw tooLong(error);
      if (code === OTHER_RULES) throw refusedByRules(error);
      if (!RETRYABLE.has(code) || tries >= MAX_TRIES || performance.now() > budget.endAt) throw error;
    }
  }
}

/**
 * Runs `work` in one transaction of a tenant. Rolls back if it throws, and runs it again after the errors in
 * `RETRYABLE`.
 * @throws AppError service_unavailable if the budget is exceeded.
 */
export async function writeTransaction<T>(
  budget: Budget,
  tenantId: string,
  work: (tx: WriteTx) => Promise<T>,
  lock = sharedTenantLock,
): Promise<T> {
  return retryConflicts(budget, async () => {
    const tx = await beginTransaction(budget, tenantId, lock);
    try {
      await tx.begun;
      const result = await work(tx);
      await tx.commit();
      return result;
    } finally {
      await tx.end();
    }
  });
}

/** Like `writeTransaction`, but waits for the other writes to the tenant's data, and keeps further ones waiting. */
export function exclusiveTransaction<T>(tenantId: string, work: (tx: WriteTx) => Promise<T>): Promise<T> {
  return writeTransaction(beginBudget(), tenantId, work, exclusiveTenantLock);
}

/** A connection that arrives too late is returned to the pool. */
async function connect({ waitUntil, client }: Budget, tenantId: string): Promise<WriteConnection> {
  const connecting = acquireForWrite(tenantId, client);
  try {
    return await within(waitUntil, connecting);
  } catch (error) {
    connecting.then(
      ({ release }) => release(),
      () => undefined,
    );
    throw error;
  }
}

/** Returns SQL that sets PostgreSQL's timeouts to the remaining budget. */
export function timeouts(budget: Budget): string {
  const now = performance.now();
  // PostgreSQL interprets 0 as no timeout.
  const wait = Math.max(1, Math.floor(budget.waitUntil - now));
  const time = Math.max(1, Math.floor(budget.endAt - now));
  return `SET LOCAL lock_timeout = ${wait}; SET LOCAL statement_timeout = ${time}`;
}

/** PostgreSQL subtracts the time already spent when it runs this SQL, because it is sent together with BEGIN. */
function remainingWait(budget: Budget): string {
  const wait = Math.max(1, Math.floor(budget.waitUntil - performance.now()));
  const waited = 'extract(epoch FROM clock_timestamp() - transaction_timestamp()) * 1000';
  return `SELECT set_config('lock_timeout', greatest(1, ${wait} - (${waited})::int)::text, true)`;
}

function transactionOn({ client, release }: WriteConnection, budget: Budget): Omit<OpenTransaction, 'begun'> {
  let lastSet = performance.now();
  let ended = false;
  const send = (query: Query) =>
    within(
      budget.endAt,
      recorded(query, () => client.query(query)),
    );
  // PostgreSQL applies lock_timeout to each lock, but the contract limits the sum of all waits.
  const refreshTimeouts = () => {
    if (performance.now() - lastSet < NEGLIGIBLE_WAIT) return;
    lastSet = performance.now();
    // If this statement fails, the next statement fails too and reports the error.
    send(timeouts(budget)).catch(() => undefined);
  };
  const run = async (sql: string) => {
    await send(sql);
  };
  const commit = async () => {
    if (ended) return;
    const { command } = await send('COMMIT');
    // The transaction has ended, even if PostgreSQL rolled it back.
    ended = true;
    if (command !== 'COMMIT') throw new Error('The transaction was rolled back.');
  };
  return {
    run,
    query: async (statement, values) => {
      refreshTimeouts();
      const result = await send(bind(statement, values));
      return result.rows;
    },
    queryArrays: async (statement, values) => {
      refreshTimeouts();
      const result = await send({ ...bind(statement, values), rowMode: 'array' });
      return result.rows as never[];
    },
    commitWith: async (statement, values) => {
      refreshTimeouts();
      const [changed, committed] = await Promise.allSettled([send(bind(statement, values)), commit()]);
      if (changed.status === 'rejected') throw changed.reason;
      if (committed.status === 'rejected') throw committed.reason;
    },
    commit,
    end: async () => {
      // If ROLLBACK fails or takes too long, PostgreSQL rolls back when the connection is closed.
      const rolledBack = () =>
        run('ROLLBACK').then(
          () => true,
          () => false,
        );
      release(!(ended || (await rolledBack())));
    },
  };
}

/** Returns the result of `job`. @throws AppError service_unavailable at `until`, a value of `performance.now()`. */
export async function within<R>(until: number, job: Promise<R>): Promise<R> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(tooLong()), Math.max(0, until - performance.now()));
  });
  try {
    return await Promise.race([job, late]);
  } finally {
    clearTimeout(timer);
    job.catch(() => undefined);
  }
}

/**
 * The fractions of the pool's connections that running writes of one application, of one tenant, and of all together, may
 * use. More concurrent writes would not increase the write rate, because all writes share the database's processors.
 * Writes that wait for a lock count, so an application whose writes wait delays only itself, and a tenant with many such
 * applications no other tenant.
 */
const EACH = 1 / 4;
const OF_TENANT = 1 / 2;
const ALL = 3 / 4;

export type WriteConnection = {
  client: pg.PoolClient;
  /** Closes the connection if `destroy` is true. */
  release: (destroy?: boolean) => void;
};

const part = (fraction: number) => Math.ceil(env().DATABASE_POOL * fraction);

/** Connections that the writes of one client, such as an application, may use at the same time. */
export const writesOfClient = () => part(EACH);

function turns(): Turns {
  return singleton('write-turns', () => createTurns(part(ALL), writesOfClient(), part(OF_TENANT)));
}

/**
 * Waits for a pool connection for a write. Tenants take turns, and so do the clients of a tenant, so that a client with many
 * writes does not delay others.
 * @param client what identifies the client, such as the id of its application.
 */
export async function acquireForWrite(tenantId: string, client = tenantId): Promise<WriteConnection> {
  // First, so that no owner's change waits with a turn that partners need.
  const endOwnTurn = await takeOwnTurn();
  const endWriteTurn = await turns().take(client, tenantId);
  const end = () => {
    endWriteTurn();
    endOwnTurn();
  };
  try {
    const connection = await outsideScopes(() => pool().connect());
    const release = (destroy?: boolean) => {
      connection.release(destroy);
      end();
    };
    return { client: connection, release };
  } catch (error) {
    end();
    throw error;
  }
}
