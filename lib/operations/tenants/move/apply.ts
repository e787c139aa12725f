import pg from 'pg';
import { StartError } from '@/lib/platform/postgres/start-error';
import { isAccountTable, replaceIds } from '../accounts';
import { accountsOf, type MovedAccounts, placeAccounts, type StoredAccounts, storedAccounts } from './accounts';
import { changedKeys, changedTables, type Move } from './capture';
import { copyRows, type Ends } from './copy';
import { type MovedTable, rowsOf } from './tables';

// One transaction inserts a tenant's copy into the target database, and records the copy there in the schema
// `tenant_arrival`. Without this record, the tenant cannot become active in the target.

/** The schema in the target's database that records which tenants were copied there. */
export const ARRIVAL = 'tenant_arrival';

/**
 * SQL that creates the table `arrivals` in the target, if it does not exist. It runs in the transaction that inserts
 * the copy of a tenant.
 */
export const ARRIVAL_SETUP = `
  CREATE SCHEMA IF NOT EXISTS ${ARRIVAL};
  CREATE TABLE IF NOT EXISTS ${ARRIVAL}.arrivals (
    move_id uuid PRIMARY KEY, tenant_id text NOT NULL, copied_at timestamptz NOT NULL, accounts jsonb NOT NULL)`;

/** The copy of a tenant in the target cell. `copiedAt` is the time of the snapshot from which the copy was made. */
export type Arrival = { copiedAt: Date; accounts: MovedAccounts };

/** Returns the error for a move whose copy was deleted from the target. */
export const copyIsGone = () =>
  new StartError(
    'The database of TARGET_DATABASE_URL has no copy of the tenant. If it is the right database, run move with --abort.',
  );

/** Returns the record of this move's copy in the target, or null if there is none. */
export async function findArrival(
  target: pg.Client,
  { id }: Move,
  lock: '' | 'FOR UPDATE' = '',
): Promise<Arrival | null> {
  const { rows: found } = await target.query(`SELECT to_regclass('${ARRIVAL}.arrivals') IS NOT NULL AS found`);
  if (!found[0]?.found) return null;
  const { rows } = await target.query<{ copied_at: Date; accounts: StoredAccounts }>(
    `SELECT copied_at, accounts FROM ${ARRIVAL}.arrivals WHERE move_id = $1 ${lock}`,
    [id],
  );
  return rows[0] ? { copiedAt: rows[0].copied_at, accounts: accountsOf(rows[0].accounts) } : null;
}

const columnsOf = (columns: string[], prefix = '') => columns.map((column) => `${prefix}"${column}"`).join(', ');
const rowsName = ({ name }: MovedTable) => `moved_rows_${name}`;
const keysName = ({ name }: MovedTable) => `moved_keys_${name}`;

/** Returns the SQL condition that a row of `t` has the primary key in `k.key`, a JSON object. */
const matches = ({ key }: MovedTable) =>
  key.map(({ name, type }) => `t."${name}" = (k.key->>'${name}')::${type}`).join(' AND ');

/**
 * Copies the rows that have changed in the source, and removes from the target the rows that no longer exist in the
 * source. Both connections must be in a transaction. The tenant remains inactive in the target. Returns the number of
 * changes that the triggers in the source have noted.
 * @throws StartError if the target has no copy of this move.
 */
export async function applyChanges(ends: Ends, tables: MovedTable[], move: Move): Promise<number> {
  const { source, target } = ends;
  // These statements use only a few rows of large tables. Hash joins and merge joins would read the whole tables.
  for (const client of [source, target])
    await client.query('SET LOCAL enable_hashjoin = off; SET LOCAL enable_mergejoin = off');
  const { rowCount } = await target.query(
    'SELECT FROM tenants WHERE id = $1 AND elsewhere_since IS NOT NULL AND deletion_began_at IS NULL FOR UPDATE',
    [move.tenant_id],
  );
  const arrival = await findArrival(target, move);
  if (!arrival || !rowCount) throw copyIsGone();
  const counts = await changedTables(source);
  const changed = tables.filter(({ name }) => counts.has(name));
  if (changed.length === 0) return 0;
  for (const table of changed) await fetchChanges(ends, table, move, arrival.accounts);
  // Accounts (`users`) are not deleted, because in the target they may also be members of another tenant.
  for (const table of [...changed].reverse())
    if (!['tenants', 'users'].includes(table.name)) await target.query(deletion(table));
  for (const table of changed) await target.query(upsert(table));
  await target.query('UPDATE tenants SET suspended_at = now(), elsewhere_since = now() WHERE id = $1', [
    move.tenant_id,
  ]);
  await target.query(`UPDATE ${ARRIVAL}.arrivals SET accounts = $2 WHERE move_id = $1`, [
    move.id,
    JSON.stringify(storedAccounts(arrival.accounts)),
  ]);
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}

/**
 * Creates two temporary tables in the target. Copies the primary keys of a table's changed rows into one, and those
 * changed rows that still exist in the source into the other. Omits the accounts in `accounts.kept`, because the target
 * keeps its own rows for them.
 */
async function fetchChanges(ends: Ends, table: MovedTable, move: Move, accounts: MovedAccounts): Promise<void> {
  const { target } = ends;
  const { name, columns } = table;
  await target.query(`
    CREATE TEMP TABLE ${keysName(table)} (key jsonb) ON COMMIT DROP;
    CREATE TEMP TABLE ${rowsName(table)} ON COMMIT DROP AS SELECT ${columnsOf(columns)} FROM "${name}" WITH NO DATA`);
  const ours = rowsOf(table, pg.escapeLiteral(move.tenant_id));
  const changedRows = `SELECT ${columnsOf(columns, 't.')} FROM (${changedKeys(name)}) k JOIN "${name}" t ON ${matches(table)} WHERE ${ours}`;
  await copyRows(ends, [`COPY (${changedKeys(name)}) TO STDOUT`, `COPY ${keysName(table)} FROM STDIN`], (blocks) =>
    replaceKeyIds(blocks, accounts),
  );
  const into = `COPY ${rowsName(table)} (${columnsOf(columns)}) FROM STDIN`;
  await copyRows(ends, [`COPY (${changedRows}) TO STDOUT`, into], (blocks) =>
    isAccountTable(name) ? blocks : replaceIds(blocks, accounts),
  );
  if (!isAccountTable(name)) return;
  // A user of the provider who is bound to another account in the target stays bound to it.
  if (name === 'user_identities')
    await target.query(
      `DELETE FROM ${rowsName(table)} r USING user_identities i
       WHERE i.issuer = r.issuer AND i.subject = r.subject AND i.user_id <> r.user_id`,
    );
  if (name === 'users') {
    await target.query(
      `UPDATE ${rowsName(table)} SET tenant_id = NULL, password_hash = NULL, closed_at = now() WHERE tenant_id <> $1`,
      [move.tenant_id],
    );
    await placeAccounts(target, rowsName(table), accounts);
  }
  const user = name === 'users' ? 'id' : 'user_id';
  const kept = [[...accounts.kept]];
  await target.query(`DELETE FROM ${rowsName(table)} WHERE "${user}" = ANY ($1)`, kept);
  await target.query(`DELETE FROM ${keysName(table)} WHERE key->>'${user}' = ANY ($1)`, kept);
}

/** Replaces ids of accounts in `blocks`, the text of copied primary keys. In this text, each primary key is JSON. */
async function* replaceKeyIds(blocks: AsyncIterable<Buffer>, { ids }: MovedAccounts): AsyncGenerator<Buffer> {
  for await (const block of blocks) {
    if (ids.size === 0) yield block;
    else yield Buffer.from(block.toString().replaceAll(/(?<=")usr_\w{26}(?=")/g, (id) => ids.get(id) ?? id));
  }
}

/**
 * Returns the statement that deletes the changed rows that no longer exist in the source. It deletes changed claims
 * even if they still exist there, and `upsert` inserts them again. Otherwise, the new time of one claim could overlap
 * the old time of another, which PostgreSQL would refuse.
 */
function deletion(table: MovedTable): string {
  const { name, key } = table;
  const same = key.map((column) => `r."${column.name}" = t."${column.name}"`).join(' AND ');
  const gone = name === 'slot_claims' ? '' : `AND NOT EXISTS (SELECT FROM ${rowsName(table)} r WHERE ${same})`;
  return `DELETE FROM "${name}" t USING ${keysName(table)} k WHERE ${matches(table)} ${gone}`;
}

function upsert(table: MovedTable): string {
  const { name, columns, key } = table;
  const own = new Set(key.map((column) => column.name));
  const others = columns.filter((column) => !own.has(column)).map((column) => `"${column}" = EXCLUDED."${column}"`);
  return `INSERT INTO "${name}" (${columnsOf(columns)}) SELECT ${columnsOf(columns)} FROM ${rowsName(table)}
    ON CONFLICT (${columnsOf([...own])}) DO ${others.length > 0 ? `UPDATE SET ${others.join(', ')}` : 'NOTHING'}`;
}
