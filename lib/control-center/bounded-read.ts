import type pg from 'pg';
import { inTransaction } from '@/lib/platform/db';

/**
 * Runs `work` in a read-only transaction. Each query may take at most `timeout` milliseconds. Returns null if a query
 * timed out.
 */
export function boundedRead<T>(timeout: number, work: (client: pg.PoolClient) => Promise<T>): Promise<T | null> {
  const bounds = ['SET TRANSACTION READ ONLY', `SET LOCAL statement_timeout = ${Math.max(1, Math.round(timeout))}`];
  return inTransaction(bounds, (client) =>
    work(client).catch((error: unknown) => {
      // SQLSTATE 57014 (query_canceled): a statement timed out.
      if (error instanceof Error && 'code' in error && error.code === '57014') return null;
      throw error;
    }),
  );
}
