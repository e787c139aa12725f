import pg from 'pg';
import { asSuperuser } from './database';
import { until } from './until';

export type HeldLock = {
  /** It may have to wait for a lock of another connection. */
  query: (sql: string, values?: unknown[]) => Promise<pg.QueryResult>;
  /** Connections that have waited for the lock for at least `seconds`. */
  waiting: (seconds?: number) => Promise<number>;
  untilWaiting: (connections?: number, seconds?: number) => Promise<void>;
  release: () => Promise<void>;
};

/** Runs a statement that takes a lock, as superuser in a transaction that stays open. */
export async function holdLock(databaseUrl: string, sql: string, values: unknown[] = []): Promise<HeldLock> {
  const [holder, observer] = [0, 1].map(() => new pg.Client({ connectionString: asSuperuser(databaseUrl) }));
  if (!holder || !observer) throw new Error('could not open two connections');
  await Promise.all([holder.connect(), observer.connect()]);
  const { rows } = await holder.query('SELECT pg_backend_pid() AS pid');
  await holder.query('BEGIN');
  await holder.query(sql, values);
  const waiting = async (seconds = 0): Promise<number> => {
    const found = await observer.query(
      `SELECT count(*)::int AS count FROM pg_stat_activity
       WHERE $1 = ANY (pg_blocking_pids(pid)) AND clock_timestamp() - query_start >= make_interval(secs => $2)`,
      [rows[0]?.pid, seconds],
    );
    return found.rows[0]?.count;
  };
  return {
    query: (more, parameters) => holder.query(more, parameters),
    waiting,
    untilWaiting: async (connections = 1, seconds = 0) => {
      await until(
        () => waiting(seconds),
        (count) => count >= connections,
      );
    },
    release: async () => {
      await holder.query('ROLLBACK');
      await Promise.all([holder.end(), observer.end()]);
    },
  };
}
