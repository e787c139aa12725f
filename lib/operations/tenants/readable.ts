import type pg from 'pg';
import { to } from 'pg-copy-streams';
import { open } from '@/lib/platform/crypto';
import { placeIn } from '@/lib/platform/sealed-columns';
import type { Counts, Table } from '../backup/format';
import { splitLines } from '../backup/lines';
import { readableCountsLine } from './export-format';
import { TENANT_TABLES } from './tables';

/** A readable export omits these tables. They contain only credentials, or only responses stored for replays. */
const OMITTED = new Set(['totp_factors', 'passkeys', 'recovery_codes', 'webhook_secrets', 'idempotency_keys']);

/** The encrypted columns of a booking. A readable export contains them decrypted. */
const CONTACT = ['customer_name', 'customer_phone'] as const;

const BINARY = `
  SELECT table_name || '.' || column_name AS name FROM information_schema.columns
  WHERE table_schema = current_schema() AND udt_name = 'bytea'`;

/**
 * Minimum bytes of a block. Lines are compressed in blocks, because each call of the compressor has a fixed cost, which
 * is several times the cost of compressing one line.
 */
const BLOCK = 64 * 1024;

/** Yields lines in blocks. */
async function* inBlocks(lines: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let block: Buffer[] = [];
  let size = 0;
  for await (const line of lines) {
    block.push(line);
    size += line.length;
    if (size < BLOCK) continue;
    yield Buffer.concat(block);
    block = [];
    size = 0;
  }
  yield Buffer.concat(block);
}

/**
 * Yields the lines of a readable export in blocks: the rows of a tenant as one JSON object per line, and then the
 * number of rows per table. Hashes and encrypted values are omitted, except for the customers' contacts, which are
 * decrypted.
 * @param tenant SQL for the tenant's id.
 */
export function readableRows(
  client: pg.Client,
  tables: Table[],
  tenant: string,
  path: string,
  counts: Counts,
): AsyncGenerator<Buffer> {
  return inBlocks(readableLines(client, tables, tenant, path, counts));
}

async function* readableLines(
  client: pg.Client,
  tables: Table[],
  tenant: string,
  path: string,
  counts: Counts,
): AsyncGenerator<Buffer> {
  const { rows } = await client.query<{ name: string }>(BINARY);
  const hidden = new Set(['users.password_hash', ...rows.map(({ name }) => name)]);
  for (const { name } of CONTACT.map((column) => ({ name: `bookings.${column}` }))) hidden.delete(name);
  for (const { name, columns } of tables) {
    if (OMITTED.has(name)) continue;
    const shown = columns.filter((column) => !hidden.has(`${name}.${column}`)).map((column) => `"${column}"`);
    const where = TENANT_TABLES.get(name)?.(tenant);
    const copy = client.query(
      to(`COPY (SELECT row_to_json(r) FROM (SELECT ${shown.join(', ')} FROM "${name}" WHERE ${where}) r) TO STDOUT`),
    );
    for await (const line of splitLines(copy, path, 'export')) {
      // COPY doubles every backslash. JSON contains no other character that COPY escapes.
      const json = line.toString().replaceAll('\\\\', '\\');
      yield Buffer.from(`{"table":"${name}","row":${name === 'bookings' ? withContact(json) : json}}\n`);
    }
    counts[name] = copy.rowCount;
  }
  yield readableCountsLine(counts);
}

/** Decrypts the contact in the row of a booking, or omits it if consent was withdrawn. Takes and returns the row as JSON text. */
function withContact(json: string): string {
  const row = JSON.parse(json) as { reference: string; consent_withdrawn_at: string | null } & Record<
    (typeof CONTACT)[number],
    string | null
  >;
  for (const column of CONTACT) {
    const sealed = row[column];
    if (sealed !== null && row.consent_withdrawn_at !== null) row[column] = null;
    else if (sealed !== null)
      row[column] = open(Buffer.from(sealed.slice(2), 'hex'), placeIn(`bookings.${column}`, row.reference));
  }
  return JSON.stringify(row);
}
