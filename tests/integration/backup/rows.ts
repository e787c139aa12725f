import { openPool } from '@/tests/support/database';

/** Returns a hash of each table's rows, for comparing two databases. */
export async function hashRows(url: string): Promise<Record<string, string>> {
  const pool = openPool(url);
  const { rows: tables } = await pool.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
     AND NOT relispartition AND relpersistence = 'p' AND relname <> '_prisma_migrations'`,
  );
  const hashes: Record<string, string> = {};
  for (const { name } of tables) {
    // The database records a backup after its snapshot, and drills.
    const row = name === 'environment' ? `to_jsonb(t) - 'backed_up_at' - 'drilled_at'` : 't';
    const { rows } = await pool.query<{ hash: string }>(
      `SELECT count(*) || ' ' || md5(coalesce(string_agg(md5((${row})::text), '' ORDER BY md5((${row})::text)), '')) AS hash FROM "${name}" t`,
    );
    hashes[name] = rows[0]?.hash ?? '';
  }
  await pool.end();
  return hashes;
}

/** Returns the tables that have rows. */
export async function filledTables(url: string): Promise<string[]> {
  const hashes = Object.entries(await hashRows(url));
  return hashes.filter(([, hash]) => !hash.startsWith('0 ')).map(([name]) => name);
}

/** Returns the references of all bookings. */
export async function referencesIn(url: string): Promise<string[]> {
  const pool = openPool(url);
  const { rows } = await pool.query<{ reference: string }>('SELECT reference FROM bookings');
  await pool.end();
  return rows.map(({ reference }) => reference);
}

/** The definition of an index or constraint. `oid` changes if the index or constraint is created again. */
type Definition = { name: string; definition: string; oid: number };

const DEFINITIONS = `
  SELECT indexrelid::regclass::text AS name, pg_get_indexdef(indexrelid) || indisvalid AS definition, indexrelid::int AS oid
  FROM pg_index JOIN pg_class t ON t.oid = indrelid
  WHERE relnamespace = 'public'::regnamespace AND NOT relispartition
  UNION ALL
  SELECT conrelid::regclass || ' ' || conname, pg_get_constraintdef(c.oid) || convalidated, c.oid::int
  FROM pg_constraint c JOIN pg_class t ON t.oid = conrelid
  WHERE relnamespace = 'public'::regnamespace AND NOT relispartition
  ORDER BY 1, 2`;

const UNINDEXED = `
  SELECT index.inhparent::regclass::text AS name FROM pg_inherits index JOIN pg_class c ON c.oid = index.inhrelid
  WHERE c.relkind = 'i' GROUP BY 1
  HAVING count(*) < (SELECT count(*) FROM pg_inherits WHERE inhparent = 'request_log'::regclass)`;

/**
 * Returns the indexes and constraints of all tables. `incomplete` contains the names of the request log's indexes that
 * at least one partition lacks.
 */
export async function definitionsIn(url: string): Promise<{ definitions: Definition[]; incomplete: string[] }> {
  const pool = openPool(url);
  const { rows: definitions } = await pool.query<Definition>(DEFINITIONS);
  const { rows: incomplete } = await pool.query<{ name: string }>(UNINDEXED);
  await pool.end();
  return { definitions, incomplete: incomplete.map(({ name }) => name) };
}
