import type pg from 'pg';
import type { Table } from '../backup/format';

/**
 * The accounts of an imported file that this deployment already has. `kept` contains their ids in the file. If an
 * account has a different id in this deployment, `ids` maps the id in the file to that id.
 */
export type Accounts = { kept: Set<string>; ids: Map<string, string> };

const FACTORS = new Set(['totp_factors', 'passkeys', 'recovery_codes']);

/** Returns whether the rows of a table belong to accounts, which several tenants can share. */
export function isAccountTable(name: string): boolean {
  return name === 'users' || FACTORS.has(name);
}

/**
 * Inserts rows of accounts. If this deployment already has an account with the same id or the same email address, that
 * account keeps its password and its second factors, and the rows are skipped. Returns the number of all rows,
 * including skipped ones.
 */
export async function loadAccountRows(
  client: pg.Client,
  { name, columns }: Table,
  blocks: AsyncIterable<Buffer>,
  accounts: Accounts,
): Promise<number> {
  const places = columns.map((_, index) => `$${index + 1}`).join(', ');
  const insert = `INSERT INTO "${name}" (${columns.map((column) => `"${column}"`).join(', ')}) VALUES (${places})`;
  let rows = 0;
  for await (const block of blocks) {
    for (const values of decodeRows(block)) {
      rows += 1;
      const fieldOf = (column: string) => values[columns.indexOf(column)] ?? '';
      if (name === 'users' && (await isKept(client, fieldOf('id'), fieldOf('email'), accounts))) continue;
      if (name !== 'users' && accounts.kept.has(fieldOf('user_id'))) continue;
      await client.query(insert, values);
    }
  }
  return rows;
}

async function isKept(client: pg.Client, id: string, email: string, { kept, ids }: Accounts): Promise<boolean> {
  const { rows } = await client.query<{ id: string }>(
    'SELECT id FROM users WHERE email = $1 OR id = $2 ORDER BY email = $1 DESC LIMIT 1 FOR KEY SHARE',
    [email, id],
  );
  const [found] = rows;
  if (!found) return false;
  kept.add(id);
  if (found.id !== id) ids.set(id, found.id);
  return true;
}

const ESCAPES: Record<string, string> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };

/** Returns the fields of the rows in a block of PostgreSQL's COPY text format. */
export function decodeRows(block: Buffer): (string | null)[][] {
  const lines = block.toString().split('\n').slice(0, -1);
  return lines.map((line) => line.split('\t').map(decodeField));
}

function decodeField(field: string): string | null {
  return field === '\\N' ? null : field.replaceAll(/\\(.)/g, (_, escaped: string) => ESCAPES[escaped] ?? escaped);
}

/**
 * Replaces account ids of an imported file by the ids that the same accounts have in this deployment. Replaces an id
 * only if it is the whole value of a field.
 */
export async function* replaceIds(blocks: AsyncIterable<Buffer>, { ids }: Accounts): AsyncGenerator<Buffer> {
  for await (const block of blocks) {
    if (ids.size === 0) yield block;
    else yield Buffer.from(block.toString().replaceAll(/(?<=^|\t)usr_\w{26}(?=\t|$)/gm, (id) => ids.get(id) ?? id));
  }
}
