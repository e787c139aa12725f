import type pg from 'pg';
import type { Table } from '../backup/format';

/** Accounts of an imported file that exist here. `kept`: their ids in the file. `ids`: those with another id here. */
export type Accounts = { kept: Set<string>; ids: Map<string, string> };

const FACTORS = new Set(['totp_factors', 'passkeys', 'recovery_codes', 'user_identities']);

/** Returns whether the rows of a table belong to accounts, which several tenants can share. */
export function isAccountTable(name: string): boolean {
  return name === 'users' || FACTORS.has(name);
}

/**
 * Selects the account in `users` that is the same as an account `m` of a file: it has the same id, or both have the
 * same address and somebody has proven this address for each. Otherwise, the accounts can belong to different people.
 * The id is more certain than the address, which its person can change. A closed account gives way to an open one.
 */
const SAME_ACCOUNT = `
  SELECT u.id FROM users u WHERE u.id = m.id OR (u.email = m.email AND u.closed_at IS NULL AND m.closed_at IS NULL
    AND u.address_proven_at IS NOT NULL AND m.address_proven_at IS NOT NULL)
  ORDER BY u.closed_at IS NOT NULL, u.id <> m.id LIMIT 1`;

/**
 * Inserts rows of accounts of a tenant, and returns the number of all. An account that exists here (`SAME_ACCOUNT`)
 * keeps its password and its second factors, and is skipped. The copy of a former member's account of another tenant is
 * closed.
 */
export async function loadAccountRows(
  client: pg.Client,
  { name, columns }: Table,
  blocks: AsyncIterable<Buffer>,
  { tenantId, accounts }: { tenantId: string; accounts: Accounts },
): Promise<number> {
  const places = columns.map((_, index) => `$${index + 1}`).join(', ');
  const into = `"${name}" (${columns.map((column) => `"${column}"`).join(', ')})`;
  // A user of the provider who is bound to another account here stays bound to it.
  const insert = `INSERT INTO ${into} VALUES (${places}) ${name === 'user_identities' ? 'ON CONFLICT DO NOTHING' : ''}`;
  let rows = 0;
  for await (const block of blocks) {
    for (const values of decodeRows(block)) {
      rows += 1;
      const fieldOf = (column: string) => values[columns.indexOf(column)] ?? '';
      if (name === 'users' && (await isKept(client, fieldOf, accounts))) continue;
      if (name !== 'users' && accounts.kept.has(fieldOf('user_id'))) continue;
      await client.query(insert, name === 'users' ? ofTenant(values, columns, tenantId) : values);
    }
  }
  return rows;
}

type Fields = (string | null)[];

function ofTenant(values: Fields, columns: string[], tenantId: string): Fields {
  const other = values[columns.indexOf('tenant_id')] ?? tenantId;
  if (other === tenantId) return values;
  const closed: Record<string, string | null> = { tenant_id: null, password_hash: null, closed_at: 'now' };
  return values.map((value, index) => {
    const changed = closed[columns[index] ?? ''];
    return changed === undefined ? value : changed;
  });
}

const FIND = `
  SELECT id FROM users WHERE id = (
    SELECT same.id FROM (SELECT $1 AS id, $2 AS email, $3::timestamptz AS address_proven_at, $4::timestamptz AS closed_at) m,
      LATERAL (${SAME_ACCOUNT}) same)
  FOR KEY SHARE`;

async function isKept(
  client: pg.Client,
  fieldOf: (column: string) => string,
  { kept, ids }: Accounts,
): Promise<boolean> {
  const id = fieldOf('id');
  const [proven, closed] = [fieldOf('address_proven_at') || null, fieldOf('closed_at') || null];
  const { rows } = await client.query<{ id: string }>(FIND, [id, fieldOf('email'), proven, closed]);
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

/** Replaces account ids of an imported file by those here. Only an id that is the whole value of a field. */
export async function* replaceIds(blocks: AsyncIterable<Buffer>, { ids }: Accounts): AsyncGenerator<Buffer> {
  for await (const block of blocks) {
    if (ids.size === 0) yield block;
    else yield Buffer.from(block.toString().replaceAll(/(?<=^|\t)usr_\w{26}(?=\t|$)/gm, (id) => ids.get(id) ?? id));
  }
}
