import type pg from 'pg';
import type { Table } from './format';

// A restore drops the indexes and the constraints that use them, loads the rows, and creates the indexes and
// constraints again. PostgreSQL then builds each index in one pass, and checks each foreign key with one join. If
// the indexes remained, each row would cost an insertion at a random place of every index, and a query per foreign
// key. Check and NOT NULL constraints are not dropped.

/**
 * The memory that the database server uses to create one index. With the default, 64 MB, it would sort large tables
 * on disk.
 */
const INDEX_MEMORY = '256MB';

/** An index or a constraint, with its SQL. The names are quoted. */
type Definition = { kind: 'foreign key' | 'constraint' | 'index'; table: string; name: string; definition: string };

// PostgreSQL returns the definition of an index on a partitioned table with the word ONLY. The word is removed, so that
// CREATE INDEX creates the index on each partition too.
const DEFINITIONS = `
  SELECT CASE contype WHEN 'f' THEN 'foreign key' ELSE 'constraint' END AS kind, conrelid::regclass::text AS "table",
    quote_ident(conname) AS name, pg_get_constraintdef(c.oid) AS definition
  FROM pg_constraint c JOIN pg_class t ON t.oid = CASE contype WHEN 'f' THEN confrelid ELSE conrelid END
  WHERE contype IN ('p', 'u', 'x', 'f') AND conparentid = 0
    AND t.relnamespace = current_schema()::regnamespace AND t.relname = ANY($1)
  UNION ALL
  SELECT 'index', indrelid::regclass::text, indexrelid::regclass::text,
    replace(pg_get_indexdef(indexrelid), ' ON ONLY ', ' ON ')
  FROM pg_index JOIN pg_class t ON t.oid = indrelid
  WHERE t.relnamespace = current_schema()::regnamespace AND t.relname = ANY($1)
    AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid AND contype IN ('p', 'u', 'x'))
  ORDER BY 1 DESC, 2, 3`;

/**
 * Drops the indexes of tables, and the constraints that use these indexes, in the caller's transaction.
 * @returns a function that creates the indexes and constraints again. PostgreSQL then verifies all rows.
 */
export async function dropIndexes(client: pg.Client, tables: readonly Table[]): Promise<() => Promise<void>> {
  const { rows } = await client.query<Definition>(DEFINITIONS, [tables.map(({ name }) => name)]);
  const of = (kind: Definition['kind']) => rows.filter((row) => row.kind === kind);
  const [references, constraints, indexes] = [of('foreign key'), of('constraint'), of('index')];
  for (const { table, name } of [...references, ...constraints]) {
    await client.query(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`);
  }
  for (const { name } of indexes) await client.query(`DROP INDEX ${name}`);
  return async () => {
    await client.query(`SET LOCAL maintenance_work_mem = '${INDEX_MEMORY}'`);
    for (const { definition } of indexes) await client.query(definition);
    // Foreign keys come last, because each one needs a unique index on the columns to which it refers.
    for (const { table, name, definition } of [...constraints, ...references]) {
      await client.query(`ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition}`);
    }
  };
}
