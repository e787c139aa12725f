import { pool } from '@/lib/platform/db';
import { withClient } from '../environment/connection';

// The column is missing in a database that an earlier version migrated, which is backed up before its upgrade.
const HAS_COLUMN = `SELECT FROM pg_attribute
  WHERE attrelid = 'environment'::regclass AND attname = 'backed_up_at' AND NOT attisdropped`;

/**
 * Records that a backup is complete. `began` is the time before its snapshot. Returns false if the database is of an earlier
 * version, which cannot record it.
 */
export async function recordBackup(databaseUrl: string, began: Date): Promise<boolean> {
  return withClient(databaseUrl, async (client) => {
    if ((await client.query(HAS_COLUMN)).rowCount === 0) return false;
    await client.query('UPDATE environment SET backed_up_at = $1 WHERE backed_up_at IS NULL OR backed_up_at < $1', [
      began,
    ]);
    return true;
  });
}

/** Returns when the newest recorded backup began, or null. */
export async function lastBackup(): Promise<Date | null> {
  const { rows } = await pool().query<{ at: Date | null }>({
    name: 'last-backup',
    text: 'SELECT backed_up_at AS at FROM environment',
  });
  return rows[0]?.at ?? null;
}
