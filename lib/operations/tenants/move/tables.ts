import type pg from 'pg';
import type { Table } from '../../backup/format';
import { readTables } from '../../backup/tables';
import { isAccountTable } from '../accounts';
import { TENANT_TABLES } from '../tables';

/** A table of a tenant, with the columns of its primary key and their types. */
export type MovedTable = Table & { key: { name: string; type: string }[] };

/**
 * The tables that get no triggers from `noteChanges`. Log entries never change after they are inserted, so the entries
 * that the target cell still lacks are copied at the end of the move. The target cell then counts requests from them.
 */
const APPENDED = new Set(['request_log', 'request_counts']);

/**
 * The tables whose changes the source cell accepts even after it has stopped serving the tenant. If it refused them,
 * other tenants would be affected: some rows belong to several tenants, and some jobs change rows of several tenants in
 * one statement. Changes that must not be lost fail nevertheless, because their transactions also insert audit entries,
 * which the source cell refuses.
 */
const SHARED = new Set([
  'tenants',
  'memberships',
  'sign_ins',
  'refused_calls',
  'api_keys',
  'deliveries',
  'delivery_attempts',
]);

/**
 * The tables whose numbers of rows `compareCounts` does not compare. The numbers can differ: the jobs of the target
 * cell remove rows of all tenants from some of these tables, and in the others, the target cell keeps rows that it
 * already had.
 */
const VARYING = new Set(['idempotency_keys', 'invitations', 'sign_ins', 'refused_calls', 'delivery_attempts']);

const KEY = `
  SELECT a.attname AS name, format_type(a.atttypid, NULL) AS type
  FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = ANY (i.indkey)
  WHERE i.indrelid = $1::regclass AND i.indisprimary ORDER BY array_position(i.indkey::int2[], a.attnum)`;

/**
 * Returns the tables that contain data of tenants, in the order of `TENANT_TABLES`. In this order, a table follows the
 * tables to which it refers.
 */
export async function movedTables(client: pg.Client): Promise<MovedTable[]> {
  const { tables } = await readTables(client);
  const found: MovedTable[] = [];
  for (const name of TENANT_TABLES.keys()) {
    const table = tables.find((one) => one.name === name);
    if (!table) throw new Error(`The table ${name} is missing.`);
    found.push({ ...table, key: (await client.query<MovedTable['key'][number]>(KEY, [name])).rows });
  }
  return found;
}

/** Returns the SQL condition that selects the rows of a tenant: `false` for a table that `TENANT_TABLES` lacks. */
export function rowsOf({ name }: Table, tenant: string): string {
  return TENANT_TABLES.get(name)?.(tenant) ?? 'false';
}

export const isNoted = ({ name }: Table) => !APPENDED.has(name);
export const isRefused = ({ name }: Table) => !SHARED.has(name) && !isAccountTable(name);
export const isCompared = (table: Table) => isNoted(table) && !VARYING.has(table.name) && !isAccountTable(table.name);
