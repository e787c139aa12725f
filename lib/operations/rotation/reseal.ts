import type pg from 'pg';
import { hashName, hashPhone } from '@/lib/booking/bookings/customer';
import {
  KEY_ID,
  openWith,
  placeIn,
  type SEALED_TABLES,
  type SealedColumn,
  type SealingKey,
  sealWith,
} from '@/lib/platform/secrets';

/** Values are encrypted with `target`, and decrypted with one of `all`. `phone` and `name` are for hashes. */
export type RotationKeys = { target: SealingKey; all: SealingKey[]; phone: Buffer; name: Buffer };

export type SealedTable = (typeof SEALED_TABLES)[number];

type Value = string | number | boolean | Buffer;
type Row = Record<string, Value | null>;

/** `unreadable` names the values that none of the keys can decrypt. */
export type Pass = { resealed: number; unreadable: string[] };

const quoted = (names: readonly string[]) => names.map((name) => `"${name}"`).join(', ');

/** Parameter 1 is the id of the target key. */
const others = ({ columns }: SealedTable) =>
  columns.map((column) => `substring("${column}" FROM 1 FOR ${KEY_ID}) <> $1`).join(' OR ');

// SKIP LOCKED never waits while the transaction holds locks, so it cannot deadlock. The next pass processes the skipped
// rows.
const batchSql = (table: SealedTable, after: boolean) => `
  SELECT ${quoted(table.key)}, ${quoted(table.columns)} FROM "${table.table}"
  WHERE (${others(table)}) ${after ? `AND (${quoted(table.key)}) > (${table.key.map((_, i) => `$${i + 3}`).join(', ')})` : ''}
  ORDER BY ${quoted(table.key)} LIMIT $2 FOR NO KEY UPDATE SKIP LOCKED`;

const updateSql = ({ table, key, columns }: SealedTable) => {
  const set = columns.map((column, i) => `"${column}" = $${i + 1}`).join(', ');
  const where = key.map((name, i) => `"${name}" = $${columns.length + i + 1}`).join(' AND ');
  return `UPDATE "${table}" SET ${set} WHERE ${where}`;
};

/**
 * Encrypts all values of a table with the target key. Each batch locks its rows, so that no concurrent change is lost,
 * and skips rows that another transaction has locked. `onBatch` gets the number of values so far.
 */
export async function resealTable(
  client: pg.Client,
  table: SealedTable,
  keys: RotationKeys,
  batch: number,
  onBatch: (resealed: number) => Promise<void>,
): Promise<Pass> {
  const pass: Pass = { resealed: 0, unreadable: [] };
  let after: Value[] | null = null;
  do {
    await client.query('BEGIN');
    const values: unknown[] = [keys.target.id, batch, ...(after ?? [])];
    const { rows }: pg.QueryResult<Row> = await client.query<Row>(batchSql(table, values.length > 2), values);
    for (const row of rows) await resealRow(client, table, keys, row, pass);
    await client.query('COMMIT');
    const end: Row | undefined = rows.length === batch ? rows.at(-1) : undefined;
    after = end ? keyOf(table, end) : null;
    if (rows.length > 0) await onBatch(pass.resealed);
  } while (after);
  return pass;
}

function keyOf({ key }: SealedTable, row: Row): Value[] {
  return key.map((name) => row[name] ?? '');
}

async function resealRow(client: pg.Client, table: SealedTable, keys: RotationKeys, row: Row, pass: Pass) {
  const key = keyOf(table, row);
  const values = table.columns.map((column) => {
    const sealed = row[column] as Buffer | null;
    if (sealed === null || keys.target.id.equals(sealed.subarray(0, KEY_ID))) return sealed;
    const place = placeIn(`${table.table}.${column}` as SealedColumn, ...key);
    try {
      const resealed = sealWith(keys.target, openWith(keys.all, sealed, place), place);
      pass.resealed += 1;
      return resealed;
    } catch {
      pass.unreadable.push(place);
      return sealed;
    }
  });
  await client.query(updateSql(table), [...values, ...key]);
  if (table.table === 'bookings') await rehashContact(client, keys, String(row.reference));
}

type Contact = { tenant_id: string; customer_name: Buffer | null; customer_phone: Buffer | null };

/** Otherwise, the old key would find hashes of guessed phone numbers and names in later copies of the database (decision 22). */
async function rehashContact(client: pg.Client, { target, phone, name }: RotationKeys, reference: string) {
  const { rows } = await client.query<Contact>(
    'SELECT tenant_id, customer_name, customer_phone FROM bookings WHERE reference = $1',
    [reference],
  );
  const [row] = rows;
  if (!row) return;
  const opened = (column: 'customer_name' | 'customer_phone') => {
    const sealed = row[column];
    if (!sealed || !target.id.equals(sealed.subarray(0, KEY_ID))) return null;
    return openWith([target], sealed, placeIn(`bookings.${column}`, reference));
  };
  const [number, words] = [opened('customer_phone'), opened('customer_name')];
  if (number === null || words === null) return;
  await client.query('UPDATE bookings SET phone_hash = $2, name_hashes = $3 WHERE reference = $1', [
    reference,
    hashPhone(phone, row.tenant_id, number),
    hashName(name, row.tenant_id, words),
  ]);
}

/** Returns the number of values in a table that are not encrypted with the given key. */
export async function countOthers(client: pg.Client, table: SealedTable, { id }: SealingKey): Promise<number> {
  const counts = table.columns.map(
    (column) => `count(*) FILTER (WHERE substring("${column}" FROM 1 FOR ${KEY_ID}) <> $1)`,
  );
  const { rows } = await client.query<{ count: number }>(
    `SELECT (${counts.join(' + ')})::int AS count FROM "${table.table}"`,
    [id],
  );
  return rows[0]?.count ?? 0;
}
