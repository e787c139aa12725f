import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { EnvironmentError } from '../environment/connection';
import type { Table } from './format';

// Without the table of migrations, which the migrations fill, and unlogged tables, whose data is transient. A
// partitioned table counts as one. Foreign tables are included, so that the command can report that the backup lacks
// them.
const TABLES = `
  SELECT relname AS name, array_agg(attname::text ORDER BY attnum) AS columns
  FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
  WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p', 'f') AND NOT relispartition AND relpersistence = 'p'
    AND relname <> '_prisma_migrations'
  GROUP BY relname ORDER BY relname`;

const REFERENCES = `
  SELECT DISTINCT child.relname AS child, parent.relname AS parent
  FROM pg_constraint JOIN pg_class child ON child.oid = conrelid JOIN pg_class parent ON parent.oid = confrelid
  WHERE contype = 'f' AND connamespace = current_schema()::regnamespace AND conrelid <> confrelid`;

/** `tables` is in the order of loading. */
type Tables = { tables: Table[]; others: string[] };

/**
 * Returns the tables of a backup, each after those that its foreign keys reference. Tables of extensions or other
 * programs are not part of it. `root` contains `prisma/schema.prisma`.
 */
export async function readTables(client: pg.Client, root = process.cwd()): Promise<Tables> {
  const known = await knownTables(root);
  const { rows } = await client.query<Table>(TABLES);
  const { rows: references } = await client.query<{ child: string; parent: string }>(REFERENCES);
  const tables = rows.filter(({ name }) => known.has(name));
  const others = rows.flatMap(({ name }) => (known.has(name) ? [] : [name]));
  const placed = new Set(others);
  const ordered: Table[] = [];
  while (ordered.length < tables.length) {
    const next = tables.find(
      ({ name }) => !placed.has(name) && references.every(({ child, parent }) => child !== name || placed.has(parent)),
    );
    if (!next)
      throw new Error('The foreign keys form a cycle, so there is no order in which the tables can be restored.');
    ordered.push(next);
    placed.add(next.name);
  }
  return { tables: ordered, others };
}

async function knownTables(root: string): Promise<Set<string>> {
  const schema = await readFile(join(root, 'prisma', 'schema.prisma'), 'utf8');
  return new Set([...schema.matchAll(/^ {2}@@map\("(\w+)"\)$/gm)].map(([, name = '']) => name));
}

/** Returns the first table that has rows, or null if all are empty. */
export async function findNonEmptyTable(client: pg.Client, tables: Table[]): Promise<string | null> {
  for (const { name } of tables) {
    const { rowCount } = await client.query(`SELECT FROM "${name}" LIMIT 1`);
    if (rowCount) return name;
  }
  return null;
}

/** During a rotation, some values are still encrypted with the secret of `previous_fingerprint`. */
export type DatabaseClaim = {
  environment: 'TEST' | 'LIVE';
  secrets_fingerprint: string;
  previous_fingerprint: string | null;
};

/** @throws EnvironmentError if no process has claimed the database yet. */
export async function readDatabaseClaim(client: pg.Client): Promise<DatabaseClaim> {
  const { rows: found } = await client.query(`SELECT to_regclass('environment') IS NOT NULL AS found`);
  const { rows } = found[0]?.found
    ? await client.query<DatabaseClaim>(
        'SELECT name AS environment, secrets_fingerprint, previous_fingerprint FROM environment',
      )
    : { rows: [] };
  if (!rows[0]) throw new EnvironmentError('This database is empty: there is nothing to back up.');
  return rows[0];
}
