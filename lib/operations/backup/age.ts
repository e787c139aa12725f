import { pool } from '@/lib/platform/db';
import { withClient } from '../environment/connection';

type Column = 'backed_up_at' | 'drilled_at';

// The column is missing in a database that an earlier version migrated, which is backed up before its upgrade.
const HAS_COLUMN = `SELECT FROM pg_attribute
  WHERE attrelid = 'environment'::regclass AND attname = $1 AND NOT attisdropped`;

/**
 * Records that a backup is complete. `began` is the time before its snapshot. Returns false if the database is of an
 * earlier version, which cannot record it.
 */
export function recordBackup(databaseUrl: string, began: Date): Promise<boolean> {
  return record(databaseUrl, 'backed_up_at', began);
}

/** Records that a drill has succeeded. Returns false like `recordBackup`. */
export function recordDrill(databaseUrl: string, began: Date): Promise<boolean> {
  return record(databaseUrl, 'drilled_at', began);
}

async function record(databaseUrl: string, column: Column, began: Date): Promise<boolean> {
  return withClient(databaseUrl, async (client) => {
    if ((await client.query(HAS_COLUMN, [column])).rowCount === 0) return false;
    // A time from the future, which a wrong clock has made, would count as the newest for years.
    await client.query(
      `UPDATE environment SET ${column} = least($1, now())
        WHERE ${column} IS NULL OR ${column} < $1 OR ${column} > now()`,
      [began],
    );
    return true;
  });
}

/** Returns when the newest recorded backup began, or null. */
export function lastBackup(): Promise<Date | null> {
  return last('backed_up_at');
}

/** Returns when the newest successful drill began, or null. */
export function lastDrill(): Promise<Date | null> {
  return last('drilled_at');
}

async function last(column: Column): Promise<Date | null> {
  const { rows } = await pool().query<{ at: Date | null }>({
    name: `last-${column}`,
    text: `SELECT ${column} AS at FROM environment`,
  });
  return rows[0]?.at ?? null;
}
