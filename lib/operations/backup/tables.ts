import type pg from 'pg';
import { EnvironmentError } from '../environment/connection';
import type { Table } from './format';

// The table of migrations is filled by the migrations. Unlogged tables hold only temporary data.
const TABLES = `
  SELECT relname AS name, array_agg(attname::text ORDER BY attnum) AS columns
  FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
  WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r' AND relpersistence = 'p'
    AND relname <> '_prisma_migrations'
  GROUP BY relname ORDER BY relname`;

const REFERENCES = `
  SELECT DISTINCT child.relname AS child, parent.relname AS parent
  FROM pg_constraint JOIN pg_class child ON child.oid = conrelid JOIN pg_class parent ON parent.oid = confrelid
  WHERE contype = 'f' AND connamespace = current_schema()::regnamespace AND conrelid <> confrelid`;

/** Returns the tables of a backup in the order of their foreign keys, referenced tables first. */
export async function orderedTables(client: pg.Client): Promise<Table[]> {
  const { rows: tables } = await client.query<Table>(TABLES);
  const { rows: references } = await client.query<{ child: string; parent: string }>(REFERENCES);
  const ordered: Table[] = [];
  const placed = new Set<string>();
  while (ordered.length < tables.length) {
    const next = tables.find(
      ({ name }) => !placed.has(name) && references.every(({ child, parent }) => child !== name || placed.has(parent)),
    );
    if (!next) throw new Error('The tables refer to each other in a circle: none of them could be restored first.');
    ordered.push(next);
    placed.add(next.name);
  }
  return ordered;
}

/** Returns the name of a table that has rows, or null when the database is empty. */
export async function findFilled(client: pg.Client, tables: Table[]): Promise<string | null> {
  for (const { name } of tables) {
    const { rowCount } = await client.query(`SELECT FROM "${name}" LIMIT 1`);
    if (rowCount) return name;
  }
  return null;
}

/** The owner of a database, with which every start compares its settings. */
export type Owner = { environment: 'TEST' | 'LIVE'; secrets_fingerprint: string };

/**
 * Returns the owner of a database.
 * @throws EnvironmentError when no start has claimed it yet
 */
export async function ownerOf(client: pg.Client): Promise<Owner> {
  const { rows: found } = await client.query(`SELECT to_regclass('environment') IS NOT NULL AS found`);
  const { rows } = found[0]?.found
    ? await client.query<Owner>('SELECT name AS environment, secrets_fingerprint FROM environment')
    : { rows: [] };
  if (!rows[0]) throw new EnvironmentError('This database is empty: there is nothing to back up.');
  return rows[0];
}
