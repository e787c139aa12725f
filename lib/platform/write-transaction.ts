import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { AppError } from '@/lib/contract/errors/app-error';
import { pool } from './db';

/** Milliseconds that one request may wait in all for a lock, a twin or a connection (contract B8). */
const MAX_WAIT = 5_000;
/** Milliseconds that one write may take in all (contract B8). */
const MAX_TIME = 8_000;
/** Times that a transaction is run when it loses against others. */
const MAX_TRIES = 3;
/** Below this, a statement has not waited for anybody worth counting. */
const UNNOTICED = 100;

/** Serialisation failure and deadlock: the transaction was rolled back and may succeed now. */
const RETRYABLE = new Set(['40001', '40P01']);

/** What is left of a request's time: waiting and working are bounded over all its transactions. */
export type Budget = { waitUntil: number; endAt: number };

/** Returns the budget of a write that has spent so many milliseconds already (contract B8). */
export function beginBudget(spent = 0): Budget {
  const begun = performance.now() - spent;
  return { waitUntil: begun + MAX_WAIT, endAt: begun + MAX_TIME };
}

/** Returns the error of a write that waited or ran too long; nothing of it is in the database. */
export function tooLong(cause?: unknown): AppError {
  return new AppError('service_unavailable', { cause });
}

/** A transaction under way. Statements are named once and prepared on each connection. */
export type WriteTx = {
  query: <Row extends pg.QueryResultRow>(statement: Statement, values: unknown[]) => Promise<Row[]>;
  /** Like `query`, with each row as a list: cheaper where many rows are read. */
  read: (statement: Statement & { rowMode: 'array' }, values: unknown[]) => Promise<unknown[][]>;
  /** Runs statements without parameters in one round trip. */
  run: (sql: string) => Promise<void>;
};

/** A statement with the name under which connections prepare it. */
export type Statement = { name: string; text: string };

/**
 * Runs `work` in one READ COMMITTED transaction and returns its result, or rolls everything back. Waiting for a
 * connection or a lock ends with the budget; only a serialisation failure or a deadlock is tried again.
 * @param opening SQL for the same round trip as BEGIN, such as an advisory lock; the caller has no input in it.
 * @throws AppError service_unavailable when the budget ends.
 */
export async function writeTransaction<T>(
  budget: Budget,
  opening: string,
  work: (tx: WriteTx) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await runOnce(budget, opening, work);
    } catch (error) {
      const code = codeOf(error);
      // lock_not_available, query_canceled: somebody else was in the way for too long.
      if (code === '55P03' || code === '57014') throw tooLong(error);
      if (!code || !RETRYABLE.has(code) || attempt >= MAX_TRIES || performance.now() > budget.endAt) throw error;
    }
  }
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}

async function runOnce<T>(budget: Budget, opening: string, work: (tx: WriteTx) => Promise<T>): Promise<T> {
  const client = await connect(budget);
  let broken = true;
  try {
    const { tx, isBusy } = transactionOn(client, budget);
    await tx.run(`BEGIN; ${timeouts(budget)}; ${opening}`);
    try {
      const result = await work(tx);
      await tx.run('COMMIT');
      broken = false;
      return result;
    } catch (error) {
      // A connection that never answered, or fails even at this, is thrown away: PostgreSQL rolls back by itself.
      if (!isBusy())
        broken = await tx.run('ROLLBACK').then(
          () => false,
          () => true,
        );
      throw error;
    }
  } finally {
    client.release(broken);
  }
}

/** Waits for a connection as long as the budget allows. One that comes later goes back to the pool. */
async function connect(budget: Budget): Promise<pg.PoolClient> {
  const connecting = pool().connect();
  const late = new AbortController();
  const wait = Math.max(0, budget.waitUntil - performance.now());
  try {
    const first = await Promise.race([connecting, delay(wait, null, { signal: late.signal })]);
    if (first) return first;
  } finally {
    late.abort();
  }
  connecting.then(
    (client) => client.release(),
    () => undefined,
  );
  throw tooLong();
}

/** Returns the SQL that lets PostgreSQL wait and work only as long as the budget does. */
export function timeouts(budget: Budget): string {
  const now = performance.now();
  // Zero would switch a timeout off.
  const wait = Math.max(1, Math.floor(budget.waitUntil - now));
  const time = Math.max(1, Math.floor(budget.endAt - now));
  return `SET LOCAL lock_timeout = ${wait}; SET LOCAL statement_timeout = ${time}`;
}

function transactionOn(client: pg.PoolClient, budget: Budget): { tx: WriteTx; isBusy: () => boolean } {
  let lastSet = performance.now();
  let unanswered = 0;
  const send = <R>(job: () => Promise<R>): Promise<R> => {
    unanswered += 1;
    const answered = job().finally(() => {
      unanswered -= 1;
    });
    return within(budget.endAt, answered);
  };
  // PostgreSQL counts each lock by itself; the contract counts them together. A statement that took long has used up
  // part of the budget, so the next one gets what is left.
  const refresh = async () => {
    if (performance.now() - lastSet < UNNOTICED) return;
    lastSet = performance.now();
    await send(() => client.query(timeouts(budget)));
  };
  const tx: WriteTx = {
    query: async (statement, values) => {
      await refresh();
      const result = await send(() => client.query({ ...statement, values }));
      return result.rows;
    },
    read: async (statement, values) => {
      await refresh();
      const result = await send(() => client.query({ ...statement, values }));
      return result.rows;
    },
    run: async (sql) => {
      await send(() => client.query(sql));
    },
  };
  return { tx, isBusy: () => unanswered > 0 };
}

/**
 * Returns what `job` returns, or gives up at `until`, on the clock of `performance.now()`: a database that does not
 * answer at all must not hold the caller.
 * @throws AppError service_unavailable.
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
