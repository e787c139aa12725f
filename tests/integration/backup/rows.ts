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
    const { rows } = await pool.query<{ hash: string }>(
      `SELECT count(*) || ' ' || md5(coalesce(string_agg(md5(t::text), '' ORDER BY md5(t::text)), '')) AS hash FROM "${name}" t`,
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
