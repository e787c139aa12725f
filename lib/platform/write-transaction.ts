import type { Duplex } from 'node:stream';
import type pg from 'pg';
import { AppError } from '@/lib/contract/errors/app-error';
import { pool } from './db';
import { bind, type Statement } from './sql';

/** Milliseconds that one request may wait in total for locks, concurrent duplicates and a connection (contract B8). */
const MAX_WAIT = 5_000;
/** Milliseconds that one write may take in total (contract B8). */
const MAX_TIME = 8_000;
/** Times that a transaction runs when it conflicts with others. */
const MAX_TRIES = 3;
/** Milliseconds. A statement that took less has not waited for a lock. */
const NEGLIGIBLE_WAIT = 100;

/** Serialization failure and deadlock: the transaction was rolled back and may succeed now. */
const RETRYABLE = new Set(['40001', '40P01']);
/** lock_not_available and query_canceled: a timeout of the budget expired. */
const TIMED_OUT = new Set(['55P03', '57014']);

/** Deadlines of a write on the clock of `performance.now()`, over all its transactions. */
export type Budget = { waitUntil: number; endAt: number };

/** Returns the budget of a write that has already taken `spent` milliseconds (contract B8). */
export function beginBudget(spent = 0): Budget {
  const begun = performance.now() - spent;
  return { waitUntil: begun + MAX_WAIT, endAt: begun + MAX_TIME };
}

/** Returns the error of a write that exceeded its budget. The write was rolled back. */
export function tooLong(cause?: unknown): AppError {
  return new AppError('service_unavailable', { cause });
}

/**
 * Sends statements within a transaction. Named statements are prepared once on each connection. A statement is sent when
 * the function is called, also while earlier ones are unanswered; PostgreSQL executes them in that order, each with its
 * own snapshot. After a failed statement, the following ones fail too.
 */
export type WriteTx = {
  query: <Values extends object, Row>(statement: Statement<Values, Row>, values: NoInfer<Values>) => Promise<Row[]>;
  /** Like `query`, with each row as an array: cheaper for many rows. */
  queryArrays: <Values extends object, Row>(
    statement: Statement<Values, Row>,
    values: NoInfer<Values>,
  ) => Promise<Row[]>;
  /** Runs SQL without parameters in one round trip. */
  run: (sql: string) => Promise<void>;
};

/** A transaction and its connection. The caller must call `end`, also after an error. */
type OpenTransaction = WriteTx & {
  /** Resolves when the transaction has begun and holds its advisory lock. */
  begun: Promise<void>;
  /** @throws Error when PostgreSQL rolled back instead, because a statement had failed. */
  commit: () => Promise<void>;
  /** Rolls back unless committed, and returns the connection to the pool. Never throws. */
  end: () => Promise<void>;
};

/**
 * Begins a READ COMMITTED transaction, takes an advisory lock in the same round trip, and sets timeouts that match the
 * budget. Statements may be sent before `begun` resolves. The caller commits and ends it.
 * @param lock SQL of `lib/platform/locks.ts`; it must not contain user input.
 * @throws AppError service_unavailable when no connection is free in time.
 */
export async function beginTransaction(budget: Budget, lock: string): Promise<OpenTransaction> {
  const client = await connect(budget);
  gather(client);
  const tx = transactionOn(client, budget);
  return { ...tx, begun: tx.run(`BEGIN; ${timeouts(budget)}; ${lock}; ${remainingWait(budget)}`) };
}

/**
 * Runs `attempt`, which is one whole transaction, and repeats it after a serialization failure or a deadlock. Other
 * errors are not retried.
 * @throws AppError service_unavailable when PostgreSQL ended a statement because of the budget.
 */
export async function retryConflicts<T>(budget: Budget, attempt: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt();
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : '';
      if (TIMED_OUT.has(code)) throw tooLong(error);
      if (!RETRYABLE.has(code) || tries >= MAX_TRIES || performance.now() > budget.endAt) throw error;
    }
  }
}

/**
 * Runs `work` in one transaction and returns its result; rolls back if it throws. Retries conflicts.
 * @param lock as for `beginTransaction`.
 * @throws AppError service_unavailable when the budget is exceeded.
 */
export async function writeTransaction<T>(budget: Budget, lock: string, work: (tx: WriteTx) => Promise<T>): Promise<T> {
  return retryConflicts(budget, async () => {
    const tx = await beginTransaction(budget, lock);
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

/** Waits for a connection as long as the budget allows. A connection that arrives later returns to the pool. */
async function connect(budget: Budget): Promise<pg.PoolClient> {
  const connecting = pool().connect();
  try {
    return await within(budget.waitUntil, connecting);
  } catch (error) {
    connecting.then(
      (client) => client.release(),
      () => undefined,
    );
    throw error;
  }
}

/** Makes everything that is sent on the connection in this turn of the event loop leave in one packet. */
function gather(client: pg.PoolClient): void {
  const { stream } = Reflect.get(client, 'connection') as { stream: Duplex };
  stream.cork();
  process.nextTick(() => stream.uncork());
}

/** Returns SQL that sets PostgreSQL's timeouts to the rest of the budget. */
export function timeouts(budget: Budget): string {
  const now = performance.now();
  // Zero would disable a timeout.
  const wait = Math.max(1, Math.floor(budget.waitUntil - now));
  const time = Math.max(1, Math.floor(budget.endAt - now));
  return `SET LOCAL lock_timeout = ${wait}; SET LOCAL statement_timeout = ${time}`;
}

/**
 * Returns SQL that reduces lock_timeout by the time that the transaction has waited, for the statements that are sent
 * before the lock is granted.
 */
function remainingWait(budget: Budget): string {
  const wait = Math.max(1, Math.floor(budget.waitUntil - performance.now()));
  const waited = 'extract(epoch FROM clock_timestamp() - transaction_timestamp()) * 1000';
  return `SELECT set_config('lock_timeout', greatest(1, ${wait} - (${waited})::int)::text, true)`;
}

function transactionOn(client: pg.PoolClient, budget: Budget): Omit<OpenTransaction, 'begun'> {
  let lastSet = performance.now();
  let committed = false;
  const send = <R>(response: Promise<R>): Promise<R> => within(budget.endAt, response);
  // PostgreSQL applies lock_timeout to each lock; the contract limits their sum. After a statement that may have waited,
  // the next one gets only what is left.
  const refreshTimeouts = () => {
    if (performance.now() - lastSet < NEGLIGIBLE_WAIT) return;
    lastSet = performance.now();
    // If it fails, the next statement fails too.
    send(client.query(timeouts(budget))).catch(() => undefined);
  };
  const run = async (sql: string) => {
    await send(client.query(sql));
  };
  return {
    run,
    query: async (statement, values) => {
      refreshTimeouts();
      const result = await send(client.query(bind(statement, values)));
      return result.rows;
    },
    queryArrays: async (statement, values) => {
      refreshTimeouts();
      const result = await send(client.query({ ...bind(statement, values), rowMode: 'array' }));
      return result.rows as never[];
    },
    commit: async () => {
      const { command } = await send(client.query('COMMIT'));
      if (command !== 'COMMIT') throw new Error('The transaction was rolled back.');
      committed = true;
    },
    end: async () => {
      // If ROLLBACK fails or is not answered in time, the connection is closed: PostgreSQL then rolls back.
      const rolledBack = () =>
        run('ROLLBACK').then(
          () => true,
          () => false,
        );
      client.release(!(committed || (await rolledBack())));
    },
  };
}

/**
 * Returns the result of `job`. A database that does not respond must not block the caller.
 * @param until on the clock of `performance.now()`.
 * @throws AppError service_unavailable when `job` has not settled by then.
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
