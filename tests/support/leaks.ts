import { pool } from '@/lib/platform/db';

/** As text in any letter case or as bytes. The string must be unique to the test. */
export async function tablesHolding(text: string): Promise<string[]> {
  const { rows } = await pool().query<{ name: string }>(
    `SELECT quote_ident(relname) AS name FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition ORDER BY 1`,
  );
  const hex = Buffer.from(text).toString('hex');
  const found: string[] = [];
  for (const { name } of rows) {
    const { rowCount } = await pool().query(
      `SELECT FROM ${name} AS t WHERE position(lower($1) IN lower(t::text)) > 0 OR position($2 IN t::text) > 0 LIMIT 1`,
      [text, hex],
    );
    if (rowCount) found.push(name);
  }
  return found;
}
