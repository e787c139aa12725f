import type pg from 'pg';
import { pool } from '@/lib/platform/db';

/**
 * Runs `work` in one READ COMMITTED transaction. After an error, closes the connection, so that PostgreSQL rolls back.
 * @param opening SQL that is sent together with BEGIN. It must not contain user input.
 */
export async function inTransaction<T>(opening: string, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool().connect();
  let broken = true;
  try {
    await client.query(`BEGIN; ${opening}`);
    const result = await work(client);
    await client.query('COMMIT');
    broken = false;
    return result;
  } finally {
    client.release(broken);
  }
}
