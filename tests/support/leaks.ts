import { pool } from '@/lib/platform/db';

/** As text in any letter case or as bytes, any of the strings, which must be unique to the test. */
export async function tablesHolding(...texts: string[]): Promise<string[]> {
  const { rows } = await pool().query<{ name: string }>(
    `SELECT quote_ident(relname) AS name FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition ORDER BY 1`,
  );
  const searched = texts.flatMap((text) => [text.toLowerCase(), Buffer.from(text).toString('hex')]);
  const patterns = searched.map((one) => `%${one.replaceAll(/[\\%_]/g, '\\$&')}%`);
  const found: string[] = [];
  for (const { name } of rows) {
    const { rowCount } = await pool().query(
      `SELECT FROM ${name} AS t WHERE lower(t::text) LIKE ANY ($1::text[]) LIMIT 1`,
      [patterns],
    );
    if (rowCount) found.push(name);
  }
  return found;
}
