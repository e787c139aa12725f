import { isFresh } from './cache/listener';
import { pool } from './db';

/** Tells whether this process can serve: the database answers and invalidations arrive. */
export async function checkHealth(): Promise<boolean> {
  try {
    await pool().query('SELECT 1');
    return isFresh();
  } catch {
    return false;
  }
}
