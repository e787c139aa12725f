import pg from 'pg';

/** Values of one row. The keys are the names of columns in SQL. JSON values are strings. */
export type Row = Readonly<Record<string, unknown>>;

/** Returns a valid id that contains `number`. */
export const id = (prefix: string, number: number): string => `${prefix}_${String(number).padStart(26, '0')}`;

/** Returns a valid slot claim id that contains `number`. */
export const claimId = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

/** Inserts a row. */
export async function insert(client: pg.Pool | pg.PoolClient, table: string, row: Row): Promise<void> {
  const columns = Object.keys(row).map((column) => pg.escapeIdentifier(column));
  const values = columns.map((_, index) => `$${index + 1}`);
  await client.query(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${values.join(', ')})`, Object.values(row));
}

/** Changes every row of a table, or the rows that `where` selects. */
export async function update(
  client: pg.Pool | pg.PoolClient,
  table: string,
  change: Row,
  where: string,
): Promise<void> {
  const columns = Object.keys(change).map((column, index) => `${pg.escapeIdentifier(column)} = $${index + 1}`);
  await client.query(`UPDATE ${table} SET ${columns.join(', ')} WHERE ${where}`, Object.values(change));
}
