import { AppError } from '@/lib/contract/errors/app-error';
import type { Query } from './db';
import { exclusiveTenantLock, sharedTenantLock } from './locks';
import { OTHER_RULES, refusedByRules } from './rules-in-force';
import { bind, type Statement } from './sql';
import { limitTo } from './tenant-scope';
import { recorded } from './tracing/tracing';
import { acquireForWrite, type WriteConnection } from './write-connection';

/**
 * Maximum total milliseconds that one request may wait for locks, concurrent duplicates, and a connection (contract
 * B8).
 */
const MAX_WAIT = 5_000;
/** Maximum total milliseconds that one write may take (contract B8). */
const MAX_TIME = 8_000;
/** Maximum number of times that a transaction runs if it conflicts with other transactions. */
const MAX_TRIES = 3;
/** A statement that took fewer milliseconds than this is assumed not to have waited for a lock. */
const NEGLIGIBLE_WAIT = 100;

/**
 * The SQLSTATE with which the database function `require_change` fails a statement of `commitWith`, because a concurrent
 * write has taken the seat.
 */
const SEAT_TAKEN = 'PBS01';
/** The SQLSTATEs after which another run may succeed. The first two are serialization failure and deadlock. */
const RETRYABLE = new Set(['40001', '40P01', SEAT_TAKEN]);
/** The SQLSTATEs of a statement that exceeded a timeout set by `timeouts`: lock_not_available and query_canceled. */
const TIMED_OUT = new Set(['55P03', '57014']);

/** The deadlines of a write, as values of `performance.now()`. They stay the same for all runs of the transaction. */
export type Budget = { waitUntil: number; endAt: number; client?: string };

/**
 * Returns the deadlines of a write that has already taken `spent` milliseconds (contract B8). `client` identifies the
 * client that sent the write, because clients take turns. Without it, the tenant is the client.
 */
export function beginBudget(spent = 0, client?: string): Budget {
  const begun = performance.now() - spent;
  return { waitUntil: begun + MAX_WAIT, endAt: begun + MAX_TIME, client };
}

/** Returns the error for a write that was rolled back because it missed a deadline. */
export function tooLong(cause?: unknown): AppError {
  return new AppError('service_unavailable', { cause });
}

/**
 * Sends statements within a transaction. A statement is sent immediately, without waiting for the results of earlier
 * statements. PostgreSQL executes the statements in the order of the calls, each with its own snapshot. After a
 * statement has failed, all later statements fail too.
 */
export type WriteTx = {
  query: <Values extends object, Row>(statement: Statement<Values, Row>, values: NoInfer<Values>) => Promise<Row[]>;
  /** Like `query`, but returns each row as an array. For many rows, arrays take less time and memory than objects. */
  queryArrays: <Values extends object, Row>(
    statement: Statement<Values, Row>,
    values: NoInfer<Values>,
  ) => Promise<Row[]>;
  /** Runs SQL without parameters in one round trip. */
  run: (sql: string) => Promise<void>;
  /**
   * Sends the last statement and COMMIT in one round trip. A statement that cannot make its change must fail with
   * `SEAT_TAKEN`, so that the transaction is rolled back. `retryConflicts` then runs the transaction again.
   */
  commitWith: <Values extends object>(statement: Statement<Values, unknown>, values: NoInfer<Values>) => Promise<void>;
};

/** A transaction and its connection. The caller must call `end`, even after an error. */
type OpenTransaction = WriteTx & {
  /** Resolves when the transaction has begun and holds its advisory lock. */
  begun: Promise<void>;
  /**
   * Commits the transaction. Does nothing if `commitWith` has committed it.
   * @throws Error if an earlier statement failed, so that PostgreSQL rolled back instead.
   */
  commit: () => Promise<void>;
  /** Releases the connection. First rolls the transaction back if it has not been committed. Never throws. */
  end: () => Promise<void>;
};

/**
 * Begins a READ COMMITTED transaction that changes only rows of a tenant. In the same round trip, limits the
 * transaction to these rows, takes the tenant's lock, and sets the timeouts to the remaining budget. Statements may be
 * sent before `begun` resolves. `commit` or `commitWith` keeps the changes. The caller must always call `end`.
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

/**
 * Runs `attempt`, which must run one whole transaction. After an error in `RETRYABLE`, runs it again. The number of
 * runs, including the first, is at most `MAX_TRIES`.
 * @param attempt receives the number of the run: 1, 2, or 3.
 * @throws AppError service_unavailable if a statement exceeded a timeout that `timeouts` set, or if other time zone rules
 *   are in force.
 */
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
 * Runs `work` in one transaction of a tenant (see `beginTransaction`) and returns its result. Rolls back if `work`
 * throws, and runs `work` again after the errors in `RETRYABLE`.
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

/** Like `writeTransaction`, but waits until no other write to the tenant's data runs, and keeps further ones waiting. */
export function exclusiveTransaction<T>(tenantId: string, work: (tx: WriteTx) => Promise<T>): Promise<T> {
  return writeTransaction(beginBudget(), tenantId, work, exclusiveTenantLock);
}

/** Waits for a connection until the budget's `waitUntil`. A connection that arrives later is returned to the pool. */
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
  // The minimum is 1, because PostgreSQL interprets 0 as no timeout.
  const wait = Math.max(1, Math.floor(budget.waitUntil - now));
  const time = Math.max(1, Math.floor(budget.endAt - now));
  return `SET LOCAL lock_timeout = ${wait}; SET LOCAL statement_timeout = ${time}`;
}

/**
 * Returns SQL that reduces lock_timeout by the time that the transaction has already spent, for example waiting for an
 * earlier lock. PostgreSQL computes this time when it runs the SQL. The client cannot, because it sends this SQL
 * together with BEGIN.
 */
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
  // PostgreSQL applies lock_timeout to each lock, but the contract limits the sum of all waits. If an earlier statement
  // may have waited, this function therefore reduces the timeouts to the time that remains.
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
    // After COMMIT, the transaction has ended, even if PostgreSQL rolled it back.
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
      // If ROLLBACK fails or takes too long, the connection is closed, and PostgreSQL then rolls back.
      const rolledBack = () =>
        run('ROLLBACK').then(
          () => true,
          () => false,
        );
      release(!(ended || (await rolledBack())));
    },
  };
}

/**
 * Returns the result of `job`, but waits only until a deadline, in case the database does not respond.
 * @param until the deadline, as a value of `performance.now()`.
 * @throws AppError service_unavailable if `job` has not settled by the deadline.
 */
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
