import { createHash } from 'node:crypto';
import type pg from 'pg';
import { pool } from '@/lib/platform/db';

/**
 * A table, and rows with fields named as in the Prisma schema. All rows have the same fields. A column without a field
 * has its default. With `skip`, rows that are already stored are left out.
 */
export type Insert = readonly [table: string, rows: readonly object[], onConflict?: 'skip'];

const columnOf = (field: string) =>
  field === 'movingSince' ? 'elsewhere_since' : field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const fieldOf = (column: string) =>
  column === 'elsewhere_since'
    ? 'movingSince'
    : column.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

const storable = (value: unknown) => (Buffer.isBuffer(value) ? `\\x${value.toString('hex')}` : value);

function queryOf([table, rows, onConflict]: Insert): pg.QueryConfig {
  const stored = rows.map((row) => {
    const given = Object.entries(row).filter(([, value]) => value !== undefined);
    return Object.fromEntries(given.map(([field, value]) => [columnOf(field), storable(value)]));
  });
  const columns = Object.keys(stored[0] ?? {}).join();
  const text = `INSERT INTO ${table} (${columns})
    SELECT ${columns} FROM jsonb_populate_recordset(NULL::${table}, $1)
    ${onConflict ? 'ON CONFLICT DO NOTHING' : ''} RETURNING *`;
  // A connection parses a statement with a name once.
  return { name: createHash('md5').update(text).digest('hex'), text, values: [JSON.stringify(stored)] };
}

/**
 * Inserts rows into several tables in one round trip, which takes a fraction of the processor time of the Prisma client.
 * @returns the inserted rows of each table, as the Prisma client returns them
 */
export async function insertRows(...inserts: Insert[]): Promise<object[][]> {
  const client = await pool().connect();
  try {
    const begun = client.query('BEGIN');
    const sent = inserts.map(async (one) => (one[1].length > 0 ? (await client.query<object>(queryOf(one))).rows : []));
    await Promise.allSettled([begun, ...sent, client.query('COMMIT')]);
    const results = await Promise.all(sent);
    return results.map((rows) =>
      rows.map((row) => Object.fromEntries(Object.entries(row).map(([column, value]) => [fieldOf(column), value]))),
    );
  } finally {
    client.release();
  }
}

export async function insertRow<Row>(table: string, row: object): Promise<Row> {
  const [[inserted] = []] = await insertRows([table, [row]]);
  return inserted as Row;
}
